/**
 * Orders as JSON texts, kept while their rows stay as they are. A page of a list then costs a narrow read, of sids and
 * versions, instead of 50 whole rows, 50 objects and their 50 texts.
 */
import { LRUCache } from 'lru-cache';
import { perDatabase } from '../db/prepared.ts';
import { findOrders, type OrderVersion } from '../db/reads/order-versions.ts';
import type { ApiDeps } from './deps.ts';
import { orderJson } from './representations.ts';

interface KeptText {
  readonly version: string;
  readonly text: string;
}

/** About 20 MB. */
const maxKept = 20_000;

const keptTexts = perDatabase(() => new LRUCache<string, KeptText>({ max: maxKept }));

/** The texts of these orders, by sid. One that was canceled since it was listed has none. */
export async function orderTexts(
  { db, config }: Pick<ApiDeps, 'db' | 'config'>,
  listed: readonly OrderVersion[],
): Promise<ReadonlyMap<string, string>> {
  const kept = keptTexts(db, undefined);
  const texts = new Map<string, string>();
  const missing: string[] = [];
  for (const { sid, version } of listed) {
    const known = kept.get(sid);
    if (known?.version === version) texts.set(sid, known.text);
    else missing.push(sid);
  }
  if (missing.length === 0) return texts;
  for (const order of await findOrders(db, missing)) {
    const text = JSON.stringify(orderJson(order, config.env.publicUrl));
    kept.set(order.sid, { version: order.version, text });
    texts.set(order.sid, text);
  }
  return texts;
}
