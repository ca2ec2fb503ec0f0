/** Lists on the wire: the preview shape with `meta`, the 2010 shape, and page tokens. Source: domain.md §1.7. */
import { z } from 'zod';
import type { PageOf, PageRequest } from '../db/reads/page.ts';
import { coded, integer, optional } from './fields.ts';

/** Rows of a page when the caller does not say, and the most. Source: domain.md §1.2. */
const defaultPageSize = 50;
const maxPageSize = 1000;
/** Pages that may be asked for by number alone, without a token. */
const maxPageNumber = 10_000;

/** Query fields of every list: spread them into the query's schema. */
export const pagingFields = {
  PageSize: optional(integer({ min: 1, max: maxPageSize, code: 20007 })),
  Page: optional(integer({ min: 0, max: maxPageNumber })),
  PageToken: optional(coded(z.string().regex(/^P[ab]\d{1,15}$/), 21481)),
};

export interface PagingQuery {
  readonly PageSize?: number | null | undefined;
  readonly Page?: number | null | undefined;
  readonly PageToken?: string | null | undefined;
}

export function pageRequest(query: PagingQuery): PageRequest {
  const token = query.PageToken;
  const direction = token?.startsWith('Pa') ? 'next' : 'previous';
  return {
    size: query.PageSize ?? defaultPageSize,
    page: query.Page ?? 0,
    cursor: token ? { direction, position: Number(token.slice(2)) } : null,
  };
}

/** What a list answer is made from. */
export interface ListAnswer<Row, Item> {
  /** Address of the list: absolute for preview, from the root for 2010. Without query. */
  readonly address: string;
  /** The request's raw URL: its filters go into the links. */
  readonly requestUrl: string;
  readonly request: PageRequest;
  readonly page: PageOf<Row>;
  readonly toItem: (row: Row) => Item;
}

/** `{meta, items}` with absolute links, which clients follow word for word. */
export function previewList<Row, Item, Key extends string = 'items'>(
  answer: ListAnswer<Row, Item>,
  key: Key = 'items' as Key,
): { meta: PreviewMeta } & Record<Key, Item[]> {
  const items = { [key]: answer.page.rows.map(answer.toItem) } as Record<Key, Item[]>;
  return { meta: previewMeta(answer, key), ...items };
}

/** The same as text, of items that are JSON already. */
export function previewListText<Row>(answer: ListAnswer<Row, string>): string {
  const items = answer.page.rows.map(answer.toItem).join();
  return `{"meta":${JSON.stringify(previewMeta(answer, 'items'))},"items":[${items}]}`;
}

function previewMeta<Row, Item>(answer: ListAnswer<Row, Item>, key: string): PreviewMeta {
  const link = linker(answer);
  return {
    key,
    page: answer.request.page,
    page_size: answer.request.size,
    first_page_url: link.first,
    previous_page_url: link.previous,
    next_page_url: link.next,
    url: link.self,
  };
}

/** The 2010 shape: relative links and exactly one list key, else Node 3/4 and Python refuse the page. */
export function legacyList<Row, Item, Key extends string>(
  answer: ListAnswer<Row, Item>,
  key: Key,
): LegacyMeta & Record<Key, Item[]> {
  const link = linker(answer);
  const { page, size } = answer.request;
  const items = { [key]: answer.page.rows.map(answer.toItem) } as Record<Key, Item[]>;
  return {
    page,
    page_size: size,
    start: page * size,
    end: Math.max(page * size, page * size + answer.page.rows.length - 1),
    first_page_uri: link.first,
    previous_page_uri: link.previous,
    next_page_uri: link.next,
    uri: link.self,
    ...items,
  };
}

const previewMetaSchema = z.object({
  key: z.string(),
  page: z.int(),
  page_size: z.int(),
  first_page_url: z.url(),
  previous_page_url: z.url().nullable(),
  next_page_url: z.url().nullable(),
  url: z.url(),
});
type PreviewMeta = z.infer<typeof previewMetaSchema>;

const legacyMetaShape = {
  page: z.int(),
  page_size: z.int(),
  start: z.int(),
  end: z.int(),
  first_page_uri: z.string(),
  previous_page_uri: z.string().nullable(),
  next_page_uri: z.string().nullable(),
  uri: z.string(),
};
type LegacyMeta = z.infer<z.ZodObject<typeof legacyMetaShape>>;

/** Schema of a preview list, for the reference. */
export function previewListSchema(item: z.ZodType, key = 'items'): z.ZodObject {
  return z.object({ meta: previewMetaSchema, [key]: z.array(item) });
}

/** Schema of a 2010 list, for the reference. */
export function legacyListSchema(item: z.ZodType, key: string): z.ZodObject {
  return z.object({ ...legacyMetaShape, [key]: z.array(item) });
}

interface Links {
  readonly first: string;
  readonly previous: string | null;
  readonly next: string | null;
  readonly self: string;
}

function linker<Row, Item>({ address, requestUrl, request, page }: ListAnswer<Row, Item>): Links {
  const start = requestUrl.indexOf('?');
  const sent = new URLSearchParams(start < 0 ? '' : requestUrl.slice(start + 1));
  for (const name of ['Page', 'PageSize', 'PageToken']) sent.delete(name);
  const to = (number: number, token?: string): string => {
    const query = new URLSearchParams(sent);
    query.set('PageSize', String(request.size));
    query.set('Page', String(Math.max(0, number)));
    if (token !== undefined) query.set('PageToken', token);
    return `${address}?${query.toString()}`;
  };
  const { cursor } = request;
  const here = cursor ? `P${cursor.direction === 'next' ? 'a' : 'b'}${cursor.position}` : undefined;
  return {
    first: to(0),
    previous: page.previous === null ? null : to(request.page - 1, `Pb${page.previous}`),
    next: page.next === null ? null : to(request.page + 1, `Pa${page.next}`),
    self: to(request.page, here),
  };
}
