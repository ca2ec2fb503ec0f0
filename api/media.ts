/** /2010-04-01/Accounts/{AC}/Messages/{SM}/Media. Source: domain.md §2.2. */
import { z } from 'zod';
import { findMedia, listMedia } from '../db/reads/messages.ts';
import { ApiError } from '../domain/errors.ts';
import { dateOrTime, dateRange } from './date-filter.ts';
import type { ApiDeps } from './deps.ts';
import * as field from './fields.ts';
import { changeMessage, requireMessage } from './message-commands.ts';
import { mediaJson, mediaSchema, messagesPath } from './message-json.ts';
import { operation, type Operation } from './operation.ts';
import { legacyList, legacyListSchema, pageRequest, pagingFields } from './paging.ts';

const path = `${messagesPath}/{MessageSid}/Media` as const;
const tag = 'Messages';

const listOperation = operation({
  id: 'listMedia',
  method: 'GET',
  path: `${path}.json`,
  tag,
  summary: 'List the media of a message',
  auth: 'account',
  query: z.object({
    DateCreated: field.optional(dateOrTime),
    'DateCreated<': field.optional(dateOrTime),
    'DateCreated>': field.optional(dateOrTime),
    ...pagingFields,
  }),
  responses: { 200: { description: 'A page of media', schema: legacyListSchema(mediaSchema, 'media_list') } },
  handler: async ({ ctx, deps, account, params, query }) => {
    const message = await requireMessage(deps, account.sid, params.MessageSid);
    const request = pageRequest(query);
    const created = dateRange({
      on: query.DateCreated,
      before: query['DateCreated<'],
      after: query['DateCreated>'],
    });
    const filter = { createdFrom: created.from, createdBefore: created.before };
    const page = await listMedia(deps.db, message.sid, filter, request);
    const address = `${messagesPath.replace('{AccountSid}', account.sid)}/${message.sid}/Media.json`;
    const answer = { address, requestUrl: ctx.req.url, request, page, toItem: mediaJson };
    return ctx.json(legacyList(answer, 'media_list'));
  },
});

const fetchOperation = operation({
  id: 'fetchMedia',
  method: 'GET',
  path: `${path}/{Sid}.json`,
  tag,
  summary: 'Fetch what is known of one of the media',
  auth: 'account',
  responses: { 200: { description: 'The media', schema: mediaSchema } },
  handler: async ({ ctx, deps, account, params }) =>
    ctx.json(mediaJson(await requireMedia(deps, account.sid, params))),
});

const deleteOperation = operation({
  id: 'deleteMedia',
  method: 'DELETE',
  path: `${path}/{Sid}.json`,
  tag,
  summary: 'Remove one of the media of a message',
  auth: 'account',
  responses: { 204: { description: 'Removed' } },
  errors: [20009],
  handler: async ({ ctx, deps, account, params }) => {
    const media = await requireMedia(deps, account.sid, params);
    const message = await requireMessage(deps, account.sid, params.MessageSid);
    await changeMessage(deps, message, 'delete-media', media.sid);
    return ctx.body(null, 204);
  },
});

const contentOperation = operation({
  id: 'fetchMediaContent',
  method: 'GET',
  path: `${path}/{Sid}`,
  tag,
  summary: 'The media itself',
  description: 'Leads on to where the sender keeps it.',
  auth: 'account',
  responses: {
    200: { description: 'Its bytes', contentType: '*/*' },
    307: { description: 'Where it is kept' },
  },
  handler: async ({ deps, account, params }) => mediaContent(await requireMedia(deps, account.sid, params)),
});

export const mediaOperations: readonly Operation[] = [
  listOperation,
  fetchOperation,
  deleteOperation,
  contentOperation,
];

type Media = NonNullable<Awaited<ReturnType<typeof findMedia>>>;

/** The bytes that are kept here, or the way to where they are. Nothing in them is run by a browser. */
export function mediaContent({ url, bytes, contentType, fileName }: Media): Response {
  if (url !== null) return new Response(null, { status: 307, headers: { location: new URL(url).href } });
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"`,
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
}

async function requireMedia(
  { db }: ApiDeps,
  accountSid: string,
  { MessageSid, Sid }: { readonly MessageSid: string; readonly Sid: string },
): Promise<Media> {
  const media = await findMedia(db, accountSid, Sid);
  if (media?.messageSid !== MessageSid || media.isBody) throw new ApiError(20404);
  return media;
}
