import { describe, expect, it } from 'vitest';
import { legacyList, pageRequest, previewList } from '../../api/paging.ts';
import { toPage, type PageRequest } from '../../db/reads/page.ts';

/** A list of positions as the database would answer for a page request, newest first. */
function select(all: readonly number[], { cursor, size, page }: PageRequest): number[] {
  const sorted = [...all].sort((left, right) => right - left);
  if (cursor?.direction === 'previous')
    return sorted
      .filter((position) => position > cursor.position)
      .reverse()
      .slice(0, size + 1);
  if (cursor) return sorted.filter((position) => position < cursor.position).slice(0, size + 1);
  return sorted.slice(page * size, page * size + size + 1);
}

const all = Array.from({ length: 7 }, (_, index) => index + 1);

function fetchPage(url: string) {
  const query = new URL(url, 'http://api.test').searchParams;
  const request = pageRequest({
    PageSize: Number(query.get('PageSize')),
    Page: Number(query.get('Page') ?? 0),
    PageToken: query.get('PageToken'),
  });
  const page = toPage(select(all, request), request, (position) => position);
  const toItem = (position: number): number => position;
  return previewList({ address: 'http://api.test/list', requestUrl: url, request, page, toItem });
}

describe('paging (domain.md §1.7)', () => {
  it('reaches every row exactly once by following next_page_url', () => {
    const seen: number[] = [];
    for (let url: string | null = '/list?PageSize=3'; url !== null; ) {
      const { items, meta } = fetchPage(url);
      seen.push(...items);
      url = meta.next_page_url;
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  it('comes back the same way by previous_page_url', () => {
    const second = fetchPage(fetchPage('/list?PageSize=3').meta.next_page_url ?? '');
    expect(second.items).toEqual([4, 3, 2]);
    const first = fetchPage(second.meta.previous_page_url ?? '');
    expect(first.items).toEqual([7, 6, 5]);
    expect(first.meta).toMatchObject({ page: 0, previous_page_url: null });
  });

  it('leads on again from a page that was come back to', () => {
    const second = fetchPage(fetchPage('/list?PageSize=3').meta.next_page_url ?? '');
    const first = fetchPage(second.meta.previous_page_url ?? '');
    expect(fetchPage(first.meta.next_page_url ?? '').items).toEqual([4, 3, 2]);
  });

  it('keeps the filters of the request in its links', () => {
    const { meta } = fetchPage('/list?Status=received&PageSize=3');
    expect(meta.next_page_url).toContain('Status=received');
    expect(meta.first_page_url).not.toContain('PageToken');
  });

  it('has exactly one list key in the 2010 shape, and links from the root', () => {
    const request = pageRequest({ PageSize: 3 });
    const page = toPage(select(all, request), request, (position) => position);
    const answer = { address: '/2010-04-01/x.json', requestUrl: '/2010-04-01/x.json', request, page };
    const list = legacyList({ ...answer, toItem: (position: number) => position }, 'things');
    expect(Object.keys(list).filter((key) => Array.isArray(list[key as 'things']))).toEqual(['things']);
    expect(list).toMatchObject({ start: 0, end: 2, page: 0, page_size: 3, previous_page_uri: null });
    expect(list.next_page_uri).toMatch(/^\/2010-04-01\/x\.json\?/);
  });
});
