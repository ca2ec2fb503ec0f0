/** The keys of the phone that was called: pressed by a person or a script, read by the call one at a time. */

export interface Keypad {
  press(keys: string): void;
  /** The next key, one that was typed ahead first; `null` when `until` is fulfilled before. */
  next(until: Promise<void>): Promise<string | null>;
  /** Forgets keys typed ahead: all, or those of `only` that come first. */
  forget(only?: string): void;
}

export function createKeypad(): Keypad {
  let typedAhead: string[] = [];
  let take: ((key: string) => void) | null = null;
  return {
    press(keys) {
      for (const key of keys) {
        if (take) take(key);
        else typedAhead.push(key);
        take = null;
      }
    },
    async next(until) {
      const key = typedAhead.shift();
      if (key !== undefined) return key;
      const pressed = new Promise<string>((resolve) => (take = resolve));
      try {
        return await Promise.race([pressed, until.then(() => null)]);
      } finally {
        take = null;
      }
    },
    forget(only) {
      const kept = only === undefined ? -1 : typedAhead.findIndex((key) => !only.includes(key));
      typedAhead = kept === -1 ? [] : typedAhead.slice(kept);
    },
  };
}
