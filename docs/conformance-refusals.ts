/**
 * What Twilio's specifications name and this service does not serve, each with its reason: hand-written, and complete
 * by a test. A key is `METHOD path`, `METHOD path part`, `METHOD path *` (every part) or `* part` (wherever it is). A
 * parameter of a body under its own `METHOD path part` is refused also where the operation reads it, in order to say so.
 */
import { documentStatuses } from '../domain/authorization-document.ts';
import { bulkStatuses, eligibilitySubStatuses } from '../domain/bulk-request.ts';
import { eventTypes } from '../domain/events.ts';
import { orderStatuses, verificationTypes } from '../domain/hosted-number-order.ts';
import { messageDirections, messageStatuses } from '../domain/message.ts';
import { helpWords, startWords, stopWords } from '../domain/opt-out.ts';
import { sidPrefixes } from '../domain/sid.ts';
import { callStatuses } from '../domain/verification.ts';
import type { EnumerationAnswer } from './conformance.ts';

const accounts = '/2010-04-01/Accounts/{AccountSid}';
const documentOutcome = 'signer and service decide it, not the customer (22122)';
const noCalls =
  'voice stays with the old carrier: only the verification calls of orders are placed, and may be fetched';
const noCallerIds = 'caller ids belong to voice, which stays with the old carrier';
const noAddressRule = 'a hosted number needs no address to be used';
const nothingSold = 'no numbers are sold here (21422); a hosted number is made by its order';
const oneRoute = 'one carrier and one price: there is nothing to choose';

export const refusals: Readonly<Record<string, string>> = {
  'POST /HostedNumbers/AuthorizationDocuments/{Sid} Status: signed': documentOutcome,
  'POST /HostedNumbers/AuthorizationDocuments/{Sid} Status: canceled': documentOutcome,
  'POST /HostedNumbers/AuthorizationDocuments/{Sid} Status: failed': documentOutcome,
  [`GET ${accounts}/Calls.json`]: noCalls,
  [`POST ${accounts}/Calls.json`]: noCalls,
  [`POST ${accounts}/Calls/{Sid}.json`]: noCalls,
  [`DELETE ${accounts}/Calls/{Sid}.json`]: noCalls,
  [`GET ${accounts}/OutgoingCallerIds.json`]: noCallerIds,
  [`POST ${accounts}/OutgoingCallerIds.json`]: noCallerIds,
  [`GET ${accounts}/OutgoingCallerIds/{Sid}.json`]: noCallerIds,
  [`POST ${accounts}/OutgoingCallerIds/{Sid}.json`]: noCallerIds,
  [`DELETE ${accounts}/OutgoingCallerIds/{Sid}.json`]: noCallerIds,
  '* address_requirements: any': noAddressRule,
  '* address_requirements: local': noAddressRule,
  '* address_requirements: foreign': noAddressRule,
  [`POST ${accounts}/IncomingPhoneNumbers.json *`]: nothingSold,
  [`POST ${accounts}/IncomingPhoneNumbers/{Sid}.json AccountSid`]:
    'a number stays with its account, as its order, deliveries and messages do (22121, 21470)',
  '* direction: outbound-call': 'no text comes out of a call',
  '* ApplicationSid': 'StatusCallback says where the status of a message goes',
  '* MaxPrice': oneRoute,
  '* ProvideFeedback': 'receipts come from the carrier; a customer reports none',
  '* Attempt': 'the service itself tries until the validity period is over',
  '* ForceDelivery': oneRoute,
  '* ContentRetention': 'a message is kept until its customer redacts or deletes it',
  '* AddressRetention': 'a message is kept until its customer redacts or deletes it',
  '* SmartEncoded': 'a text is sent as it was written',
  '* PersistentAction': 'texts only: no locations',
  '* TrafficType': oneRoute,
  '* ShortenUrls': 'a text is sent as it was written',
  '* SendAsMms': 'a text with media is sent as MMS by itself',
  '* ContentVariables': 'there are no templates',
  '* ContentSid': 'there are no templates',
  '* RiskCheck': oneRoute,
  '* FallbackFrom': 'a text goes out from the number it names, or not at all',
};

const prefixes = Object.values(sidPrefixes);
/** In the spellings of the lists: letter case of a text is free. */
const keywords = [
  ...[...stopWords, ...startWords, ...helpWords].flatMap((word) => [word, word.toLowerCase()]),
  ...stopWords.map((word) => `stop: ${word}`),
  ...startWords.map((word) => `start: ${word}`),
];
const otherVendor = 'words of another provider, whose API is not offered';

/** The service's words for each set of `spec/enums.json`; a text is why the whole set is not served. */
export const enumerations: Readonly<Record<string, EnumerationAnswer | string>> = {
  'twilio_preview.order_status': { values: orderStatuses },
  'twilio_preview.authorization_document_status': { values: documentStatuses },
  'twilio_preview.verification_type': { values: verificationTypes },
  'twilio_preview.sid_prefix': { values: prefixes },
  'twilio_numbers_v2.order_status': { values: orderStatuses },
  'twilio_numbers_v2.authorization_document_status': { values: documentStatuses },
  'twilio_numbers_v2.verification_type': { values: verificationTypes },
  'twilio_numbers_v2.bulk_request_status': { values: bulkStatuses },
  'twilio_numbers_v2.sid_prefix': { values: prefixes },
  'twilio_numbers_v2.dependent_order_status_subset': { values: orderStatuses },
  'twilio_numbers_v1_eligibility.eligibility_sub_status': { values: eligibilitySubStatuses },
  'twilio_numbers_v1_eligibility.sid_prefix': { values: prefixes },
  'twilio_2010.message_status': { values: messageStatuses, others: 'no carrier of ours reports it' },
  'twilio_2010.message_direction': { values: messageDirections, others: 'no text comes out of a call' },
  'twilio_2010.call_status': { values: callStatuses },
  'twilio_2010.call_status_callback_event': { values: ['initiated', 'ringing', 'answered', 'completed'] },
  'twilio_2010.ipn_origin': { values: ['hosted'], others: nothingSold },
  'twilio_2010.ipn_address_requirements': { values: ['none'], others: noAddressRule },
  'twilio_2010.sid_prefix': {
    values: prefixes,
    others: 'there is no such resource here',
  },
  'zipwhip.subscriptions': { values: eventTypes.map((event) => event.replace('/', ': ')) },
  'zipwhip.optout_type': { values: ['STOP', 'UNSTOP'] },
  'zipwhip.webhook_method': { values: ['POST', 'PUT', 'GET'] },
  'zipwhip.message_type_seen': { values: ['MO', 'ZO'] },
  'zipwhip.message_transport_seen': { values: ['5'], others: 'a constant by configuration' },
  'zipwhip.message_status_seen': { values: ['1003'] },
  'zipwhip.status_code_seed': { values: ['0', '1', '2', '4', '5', '6', '7'] },
  'zipwhip.status_code_2016_extra': 'older words; a refusal is answered to the request instead',
  'zipwhip.send_error_2016': 'older words; a refusal is answered with its error code',
  'zipwhip.transmission_state_java': 'words of an old client, not of the API',
  'zipwhip.provisioning_methods': 'hosting is ordered through the hosted numbers API',
  'zipwhip.messageStatus_note': 'a remark, no value',
  'zipwhip.statusCode_note': 'a remark, no value',
  'optout_keywords.*': { values: keywords },
  'telnyx.*': otherVendor,
  'bandwidth.*': otherVendor,
  'sinch.*': otherVendor,
};

export const codeRefusals: readonly {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}[] = [
  {
    from: 11200,
    to: 14108,
    reason: 'kept with the message as its error code, or with the delivery; no answer to a request',
  },
  { from: 30003, to: 30034, reason: 'the carrier gives its own code, which is kept with the message' },
  { from: 20002, to: 20002, reason: '22116 says the same of an order' },
  { from: 20008, to: 20008, reason: 'there are no test credentials' },
  {
    from: 20410,
    to: 20423,
    reason: "20404 says the same: what is gone, malformed or another's is not found",
  },
  { from: 21205, to: 21205, reason: 'no calls are placed for customers' },
  {
    from: 21206,
    to: 21206,
    reason: 'no calls are placed for customers; 22117 for the extension of an order',
  },
  { from: 21209, to: 21209, reason: '21403 and 22106 say the same' },
  { from: 21214, to: 21220, reason: 'no calls are placed for customers' },
  { from: 21401, to: 21401, reason: '21421 says the same of a number, 22102 of an order' },
  { from: 21407, to: 21407, reason: 'every hosted number does SMS; 22110 for one that cannot' },
  { from: 21450, to: 21450, reason: 'there are no caller ids' },
  { from: 21456, to: 21456, reason: '21402 and 22105 say the same' },
  {
    from: 21631,
    to: 21631,
    reason: "the letter asks for the address, 22109 refuses one that is not the account's",
  },
  {
    from: 21601,
    to: 21614,
    reason: 'the carrier knows it; the message fails with the code the carrier gives',
  },
];
