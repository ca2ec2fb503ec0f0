/** Refusals of orders in words that tell the case: the codes are the order table's, the words say what stands in the way. */
import { findAnyOrder, findOrder } from '../db/reads/hosted-number-orders.ts';
import { findNumberHolder } from '../db/reads/order-placement.ts';
import { ApiError, apiErrors, type ErrorCode } from '../domain/errors.ts';
import { cancellableStatuses } from '../domain/hosted-number-order.ts';
import type { ApiDeps } from './deps.ts';

interface Wanted {
  readonly accountSid: string;
  readonly phoneNumber: string;
  readonly uniqueName?: string | null | undefined;
}

/** Runs what places or changes an order; where it is refused for what another order has, the answer says which. */
export async function explained<T>(deps: ApiDeps, wanted: Wanted, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isBare(error, 22110)) throw new ApiError(22110, await whyTaken(deps, wanted));
    if (isBare(error, 22115)) throw new ApiError(22115, await whyInUse(deps, wanted));
    throw error;
  }
}

/** Why an order cannot be canceled, and what to do instead. */
export async function cancelRefusal(deps: ApiDeps, orderSid: string): Promise<ApiError> {
  const order = await findAnyOrder(deps.db, orderSid);
  if (!order || order.canceledAt !== null) return new ApiError(20409);
  const { status, numberState, accountSid, incomingPhoneNumberSid } = order;
  if (status !== 'completed') {
    const allowed = cancellableStatuses.join(', ');
    return new ApiError(20409, `An order that is ${status} cannot be canceled, only one in ${allowed}`);
  }
  const number = `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers/${incomingPhoneNumberSid}.json`;
  return new ApiError(
    20409,
    numberState === 'in-use'
      ? `The order is completed: to release its number, DELETE ${number}`
      : 'The order is completed, and its number was released',
  );
}

/** Tells whether a refusal says no more than its code does. */
export function isBare(error: unknown, code: ErrorCode): boolean {
  return error instanceof ApiError && error.code === code && error.message === apiErrors[code].message;
}

/** Another account's order is not named, nor whose it is. */
async function whyTaken({ db }: ApiDeps, { accountSid, phoneNumber }: Wanted): Promise<string> {
  const holder = await findNumberHolder(db, accountSid, phoneNumber);
  if (!holder) return 'PhoneNumber is on order, hosted or retiring here already';
  const { sid, status, numberState } = holder;
  return numberState === 'retiring'
    ? `PhoneNumber was released by your order ${sid} and retires: it can be ordered anew when that is over`
    : `PhoneNumber is held by your order ${sid}, which is ${status}`;
}

async function whyInUse({ db }: ApiDeps, { accountSid, uniqueName }: Wanted): Promise<string> {
  const other = uniqueName ? await findOrder(db, accountSid, uniqueName) : undefined;
  return `UniqueName is in use${other ? ` by your order ${other.sid}` : ''}`;
}
