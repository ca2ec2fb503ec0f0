/** Many things done a few at a time: lines of an import, numbers of a bulk request. */
import { expect, it } from 'vitest';
import { eachOf } from '../../domain/pool.ts';

const items = Array.from({ length: 100 }, (_, index) => index);
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a pool keeps the order of its items, and never has more of them in hand than it may', async () => {
  let [running, most] = [0, 0];
  const results = await eachOf(items, 20, async (item) => {
    running += 1;
    most = Math.max(most, running);
    // The later ones of each round come to their end first.
    for (let turns = 20 - (item % 20); turns > 0; turns--) await soon();
    running -= 1;
    return item * 2;
  });
  expect(results).toEqual(items.map((item) => item * 2));
  expect(most).toBe(20);
});

it('a pool begins nothing more after its first failure', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = eachOf(items, 20, async (item) => {
    begun.push(item);
    if (item === 3) throw new Error('an outage');
    await soon();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('an outage');
  while (ended.length < begun.length - 1) await soon();
  // Whoever went on would have begun the next by now.
  await soon();
  expect(begun).toEqual(items.slice(0, 20));
});

it('a pool with nothing to do is done', async () => {
  expect(await eachOf([], 20, soon)).toEqual([]);
});
