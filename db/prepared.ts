/**
 * Statements that are built and planned once. Building one with drizzle and planning it in PostgreSQL costs ten times
 * what running it does, so the reads that every request makes are prepared.
 */
import type { Queryable } from './client.ts';

/** Makes a value, such as a prepared statement, once for each database and key. */
export function perDatabase<Value, Key = undefined>(
  build: (db: Queryable, key: Key) => Value,
): (db: Queryable, key: Key) => Value {
  const built = new WeakMap<Queryable, Map<Key, Value>>();
  return (db, key) => {
    const ofDatabase = built.get(db) ?? new Map<Key, Value>();
    built.set(db, ofDatabase);
    const known = ofDatabase.get(key);
    if (known !== undefined) return known;
    const value = build(db, key);
    ofDatabase.set(key, value);
    return value;
  };
}
