/** The mail that tells how a bulk request ended. */
import type { BulkRequestRow, BulkResultRow } from '../db/reads/bulk-requests.ts';
import type { Mail } from '../gateways/mail.ts';
import { mailText } from './mail-text.ts';

export function bulkResultMail(
  request: BulkRequestRow & { readonly notificationEmail: string },
  results: readonly BulkResultRow[],
  publicUrl: string,
): Mail {
  const { sid, friendlyName, totalCount, notificationEmail } = request;
  const name = friendlyName === null ? sid : `${friendlyName} (${sid})`;
  const refused = results.filter(({ outcome }) => outcome?.kind === 'refused').length;
  const failed = results.filter(({ orderStatus }) => orderStatus === 'failed').length;
  const paragraphs = [
    `your request ${name} to host ${totalCount} numbers has been processed.`,
    `${totalCount - refused} orders were placed, ${failed} of them failed; ${refused} were refused.`,
    `Each number with its order: GET ${publicUrl}/v2/HostedNumber/Orders/Bulk/${sid}`,
  ];
  return {
    messageId: `bulk-result.${sid}@hosted-sms`,
    to: notificationEmail,
    cc: [],
    subject: `Your request to host ${totalCount} numbers has been processed`,
    ...mailText(paragraphs),
    attachments: [],
  };
}
