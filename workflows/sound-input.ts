/**
 * What messages have to bring. A person may type one, with fields missing: in an update a validator refuses it, but
 * nothing refuses a signal, and an error in its handler would fail every later task of the workflow.
 */
import { log, setHandler } from '@temporalio/workflow';
import type { SignalDefinition } from '@temporalio/common';

/** The fields that are needed, by their kind. */
type Needed<T> = { readonly [Name in keyof T]?: 'string' | 'number' | 'boolean' | 'object' };

/** A validator. Throws where a field is missing or of another kind. */
export function needs<T extends object>(fields: Needed<T>): (given: T) => void {
  return (given) => {
    const fault = faultOf(given, fields);
    if (fault !== null) throw new TypeError(fault);
  };
}

/** Sets the handler of a signal, for signals that bring what is needed; the others are logged and left alone. */
export function hear<T extends object>(
  signal: SignalDefinition<[T]>,
  fields: Needed<T>,
  handle: (given: T) => void | Promise<void>,
): void {
  setHandler(signal, (given) => {
    const fault = faultOf(given, fields);
    if (fault === null) return handle(given);
    log.warn(`${signal.name} changes nothing: ${fault}`);
  });
}

function faultOf<T extends object>(given: Partial<T> | null | undefined, fields: Needed<T>): string | null {
  for (const name of Object.keys(fields) as (keyof T & string)[]) {
    const value: unknown = given?.[name];
    if (value === null || typeof value !== fields[name]) return `${name} has to be a ${fields[name]}`;
  }
  return null;
}
