/** Taking over many hosted numbers at once, from a CSV file, and the list of those that are here. Source: issue 4. */
import { createHash } from 'node:crypto';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { findAccount } from '../db/reads/accounts.ts';
import { findAnyOrder } from '../db/reads/hosted-number-orders.ts';
import { listNumbers } from '../db/reads/incoming-phone-numbers.ts';
import { ApiError } from '../domain/errors.ts';
import { eachOf } from '../domain/pool.ts';
import { isSid } from '../domain/sid.ts';
import { derivedSid } from '../security/derived-sid.ts';
import type { ApiDeps } from './deps.ts';
import { toApiError } from './errors.ts';
import * as field from './fields.ts';
import { numberJson, numberSchema } from './incoming-phone-number-json.ts';
import { operation, type Operation } from './operation.ts';
import { takeOverNumber } from './order-commands.ts';
import { pageRequest, pagingFields, previewList, previewListSchema } from './paging.ts';

const common = { tag: 'Administration', auth: 'admin' } as const;
const path = '/admin/HostedNumbers';
/** Lines one file may have; a longer list is sent in parts, so that each is answered in reasonable time. */
const maxLines = 1000;
/** Characters of a FriendlyName, as in every order. Source: domain.md §1.2. */
const maxNameLength = 64;
/** Orders that are started at the same time. */
const concurrency = 20;

const resultSchema = z.object({
  line: z.int(),
  phone_number: z.string(),
  status: z.enum(['taken-over', 'refused']),
  sid: z.string().nullable(),
  code: z.int().nullable(),
  message: z.string().nullable(),
});
type LineResult = z.infer<typeof resultSchema>;

const importOperation = operation({
  ...common,
  id: 'importHostedNumbers',
  method: 'POST',
  path: `${path}/Import`,
  summary: 'Take over hosted numbers from a CSV file',
  description:
    'multipart/form-data with one `File`. First line: `AccountSid,PhoneNumber,FriendlyName` (the last is optional); ' +
    'at most 1000 further lines. The same file sent again goes on where it was interrupted.',
  form: z.object({ File: field.file() }),
  bodyLimitBytes: (config) => config.api.uploadLimitBytes,
  responses: {
    200: {
      description: 'What became of each line',
      schema: z.object({ taken_over: z.int(), refused: z.int(), results: z.array(resultSchema) }),
    },
  },
  handler: async ({ ctx, deps, form }) => {
    const csv = await form.File.text();
    const fileHash = createHash('sha256').update(csv).digest('hex');
    const results = await eachOf(parseCsv(csv), concurrency, (row) => takeOverLine(deps, row, fileHash));
    const refused = results.filter((result) => result.status === 'refused').length;
    return ctx.json({ taken_over: results.length - refused, refused, results });
  },
});

const listOperation = operation({
  ...common,
  id: 'listHostedNumbers',
  method: 'GET',
  path,
  summary: 'List the hosted numbers of every account',
  query: z.object({
    AccountSid: field.optional(field.sid('account', 21470)),
    PhoneNumber: field.optional(field.phoneNumber()),
    ...pagingFields,
  }),
  responses: { 200: { description: 'A page of numbers', schema: previewListSchema(numberSchema) } },
  handler: async ({ ctx, deps, query }) => {
    const request = pageRequest(query);
    const filter = { phoneNumber: query.PhoneNumber };
    const page = await listNumbers(deps.db, query.AccountSid ?? null, filter, request);
    const address = deps.config.env.publicUrl + path;
    return ctx.json(previewList({ address, requestUrl: ctx.req.url, request, page, toItem: numberJson }));
  },
});

export const adminImportOperations: readonly Operation[] = [listOperation, importOperation];

interface Line {
  readonly line: number;
  readonly accountSid: string;
  readonly phoneNumber: string;
  readonly friendlyName: string | null;
  /** Where the same number stands in the file before. */
  readonly firstLine: number | null;
}

/** Takes one number over. A refusal is the line's result; an outage fails the whole request, to be repeated. */
async function takeOverLine(deps: ApiDeps, row: Line, fileHash: string): Promise<LineResult> {
  const { line, accountSid, phoneNumber, friendlyName, firstLine } = row;
  const sid = derivedSid('hostedNumberOrder', 'import', fileHash, accountSid, phoneNumber);
  try {
    const known = isSid('account', accountSid) && (await findAccount(deps.db, accountSid));
    if (!known) throw new ApiError(21471);
    if (!/^\+[1-9]\d{1,14}$/.test(phoneNumber)) throw new ApiError(22102);
    if (firstLine !== null)
      throw new ApiError(22110, `The number is on line ${firstLine} of the file already`);
    if ((friendlyName?.length ?? 0) > maxNameLength) throw new ApiError(22116);
    await takeOverNumber(deps, accountSid, phoneNumber, { sid, friendlyName });
    // The order of a line is found again by the file it came in, whatever has become of its number.
    if ((await findAnyOrder(deps.db, sid))?.numberState !== 'in-use')
      throw new ApiError(22110, `This file brought the number before, as ${sid}, and it was released since`);
    return { line, phone_number: phoneNumber, status: 'taken-over', sid, code: null, message: null };
  } catch (error) {
    const { code, message, status } = toApiError(error);
    if (status >= 500) throw error;
    return { line, phone_number: phoneNumber, status: 'refused', sid: null, code, message };
  }
}

/** Reads a file whose first line names the columns. Throws 20001. */
export function parseCsv(csv: string): Line[] {
  const [header, ...rows] = recordsOf(csv);
  const at = (name: string): number => header?.record.findIndex((cell) => cell.toLowerCase() === name) ?? -1;
  const columns = { account: at('accountsid'), number: at('phonenumber'), name: at('friendlyname') };
  if (columns.account < 0 || columns.number < 0)
    throw new ApiError(20001, 'The first line of the file must name AccountSid and PhoneNumber');
  if (rows.length > maxLines) throw new ApiError(20001, `The file has more than ${maxLines} lines`);
  const firstLines = new Map<string, number>();
  return rows.map(({ record, info }) => {
    const phoneNumber = record[columns.number] ?? '';
    const firstLine = firstLines.get(phoneNumber) ?? null;
    if (firstLine === null) firstLines.set(phoneNumber, info.lines);
    return {
      line: info.lines,
      accountSid: record[columns.account] ?? '',
      phoneNumber,
      friendlyName: record[columns.name] || null,
      firstLine,
    };
  });
}

interface Row {
  readonly record: readonly string[];
  /** `lines`: where it ends in the file, from 1. */
  readonly info: { readonly lines: number };
}

function recordsOf(csv: string): Row[] {
  if (csv.includes('\0')) throw new ApiError(20001, 'The file is not text');
  try {
    const records: unknown = parse(csv, {
      record_delimiter: ['\r\n', '\n'],
      bom: true,
      trim: true,
      info: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
    });
    // The library's types do not know of `info`.
    return records as Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ApiError(
      20001,
      `The file is not CSV: a cell with quotation marks near line ${String(error['lines'])}`,
    );
  }
}
