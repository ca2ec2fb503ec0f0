/** Pages of a list by keyset: page 2,000 costs what page 1 costs. Newest first. */
import { asc, type Column, desc, gt, lt, type Placeholder, sql, type SQL } from 'drizzle-orm';

export interface PageRequest {
  readonly size: number;
  /** Number the caller gives the page, from 0. Shown, and used for an offset only where there is no cursor. */
  readonly page: number;
  readonly cursor: { readonly direction: 'next' | 'previous'; readonly position: number } | null;
}

export interface PageOf<Row> {
  readonly rows: readonly Row[];
  /** Position to go on from; `null` on the last page. */
  readonly next: number | null;
  /** Position to go back from; `null` on the first page. */
  readonly previous: number | null;
}

/** Condition, order and limits of the page, over the column that holds the order of insertion. */
export function keyset(
  position: Column,
  request: PageRequest,
): { where: SQL | undefined; orderBy: SQL; limit: number; offset: number } {
  const { cursor, size, page } = request;
  const backwards = cursor?.direction === 'previous';
  return {
    where: cursor ? (backwards ? gt(position, cursor.position) : lt(position, cursor.position)) : undefined,
    orderBy: backwards ? asc(position) : desc(position),
    // One row more than the page holds tells whether there is another page.
    limit: size + 1,
    offset: cursor ? 0 : page * size,
  };
}

/** The same with placeholders, for statements that are prepared once; `keysetValues` fills them. */
export function preparedKeyset(
  position: Column,
  direction: string | undefined,
): { where: SQL | undefined; orderBy: SQL; limit: Placeholder; offset: Placeholder } {
  const cursor = sql.placeholder('cursor');
  const backwards = direction === 'previous';
  const where = backwards ? gt(position, cursor) : lt(position, cursor);
  return {
    where: direction === 'first' ? undefined : where,
    orderBy: backwards ? asc(position) : desc(position),
    limit: sql.placeholder('limit'),
    offset: sql.placeholder('offset'),
  };
}

export function keysetValues({ cursor, size, page }: PageRequest): Record<string, number | undefined> {
  return { cursor: cursor?.position, limit: size + 1, offset: cursor ? 0 : page * size };
}

/** Makes the page from the rows `keyset` selected. */
export function toPage<Row>(
  found: readonly Row[],
  request: PageRequest,
  positionOf: (row: Row) => number,
): PageOf<Row> {
  const { cursor, size, page } = request;
  const more = found.length > size;
  const backwards = cursor?.direction === 'previous';
  const kept = found.slice(0, size);
  const rows = backwards ? kept.reverse() : kept;
  const [first, last] = [rows.at(0), rows.at(-1)];
  const hasPrevious = backwards ? more : cursor !== null || page > 0;
  const hasNext = backwards || more;
  return {
    rows,
    next: hasNext && last !== undefined ? positionOf(last) : null,
    previous: hasPrevious && first !== undefined ? positionOf(first) : null,
  };
}
