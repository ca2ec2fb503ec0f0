/** Older and newer: pages of a list by keyset. */
import type { FC } from 'hono/jsx';
import type { PageOf, PageRequest } from '../../db/reads/page.ts';

/** Rows a console page shows. */
const pageSize = 25;

/** Reads `after` and `before` of a query: positions that a `Pager` link carries. Nonsense is as good as absent. */
export function pageFromQuery(query: Readonly<Record<string, string>>): PageRequest {
  const after = position(query['after']);
  const before = position(query['before']);
  if (after !== null) return { size: pageSize, page: 1, cursor: { direction: 'next', position: after } };
  if (before !== null)
    return { size: pageSize, page: 1, cursor: { direction: 'previous', position: before } };
  return { size: pageSize, page: 0, cursor: null };
}

function position(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,16}$/.test(value) ? Number(value) : null;
}

export interface PagerProps {
  readonly path: string;
  /** Filters to keep. Empty ones are left out. */
  readonly query: Readonly<Record<string, string>>;
  readonly page: Pick<PageOf<unknown>, 'next' | 'previous'>;
}

export const Pager: FC<PagerProps> = ({ path, query, page: { next, previous } }) => {
  if (next === null && previous === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {previous !== null && <a href={link(path, { ...query, before: String(previous) })}>← Newer</a>}
      {next !== null && <a href={link(path, { ...query, after: String(next) })}>Older →</a>}
    </nav>
  );
};

/** A path with those parameters that have a value. */
export function link(path: string, query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
