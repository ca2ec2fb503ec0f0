/** Work on many things, a few of them at a time. */

/**
 * Runs a task over all items, `size` of them at a time, and answers the results in the order of the items. The first
 * failure is thrown at once, and nothing is begun after it; what was begun before comes to its own end.
 */
export async function eachOf<T, R>(
  items: readonly T[],
  size: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, item] = next;
      try {
        results[index] = await task(item);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: size }, worker));
  return results;
}
