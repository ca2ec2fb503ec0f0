/** What becomes of deliveries: attempts and ends. Guarded by state; a repeated write changes nothing. */
import { and, eq, sql } from 'drizzle-orm';
import type { DeliveryState } from '../../domain/delivery.ts';
import type { Queryable } from '../client.ts';
import { deliveries } from '../schema/deliveries.ts';

export interface AttemptRecord {
  readonly deliverySid: string;
  /** From 1. */
  readonly number: number;
  readonly at: Date;
  readonly durationMs: number;
  readonly url: string;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly responseHead: string | null;
  /** Until when the answer asked to be left alone; `null` when it asked for nothing. */
  readonly retryAfter: Date | null;
}

/** Stores an attempt that was taken and with it the end of its delivery, in one statement. Key: delivery and number. */
export async function recordSuccess(db: Queryable, attempt: AttemptRecord): Promise<void> {
  const finishedAt = new Date(attempt.at.getTime() + attempt.durationMs).toISOString();
  await db.execute(sql`
    with attempt as (${insertAttempt(attempt)}), delivery as (
      update deliveries set state = 'delivered', finished_at = ${finishedAt}::timestamptz, ${lastAttempt(attempt)}
      where sid = ${attempt.deliverySid} and state = 'pending'
      returning subscription_sid
    )
    update subscriptions s set failing_since = null, last_failure_at = null
    from delivery where s.sid = delivery.subscription_sid and s.failing_since is not null`);
}

export interface SwitchOffRule {
  /** Address of the subscription that was called; `null` for a callback. At another one by now, the failure is not its. */
  readonly endpointUrl: string | null;
  /** The endpoint said that it is gone: it is switched off now. */
  readonly gone: boolean;
  /** An endpoint whose run of failures, without a success between, began then or before is switched off. */
  readonly failingSince: Date;
  /** A run whose last failure is older has ended: of the time between, nobody knows anything. */
  readonly goesOnSince: Date;
  /** Told to the account where the endpoint is switched off. */
  readonly reason: string;
}

/** The last failure is kept to a 24th of what ends a run, so that not every attempt at an endpoint that hangs writes its row. */
const keptPerRun = 24;

/** Stores an attempt that was not taken; answers whether it was the one that switched its endpoint off. */
export async function recordFailure(
  db: Queryable,
  attempt: AttemptRecord,
  rule: SwitchOffRule,
): Promise<{ readonly switchedOff: boolean }> {
  const at = instant(attempt.at);
  const goesOnSince = instant(rule.goesOnSince);
  const goesOn = sql`coalesce(s.failing_since is not null and s.last_failure_at > ${goesOnSince}, false)`;
  const off = sql`(${rule.gone}::boolean or ${goesOn} and s.failing_since <= ${instant(rule.failingSince)})`;
  const rows = await db.execute<{ readonly switched_off: boolean }>(sql`
    with attempt as (${insertAttempt(attempt)}), delivery as (
      update deliveries set ${lastAttempt(attempt)}
      where sid = ${attempt.deliverySid} and state = 'pending'
      returning subscription_sid
    )
    update subscriptions s set
      failing_since = case when ${goesOn} then s.failing_since else ${at} end,
      last_failure_at = greatest(s.last_failure_at, ${at}),
      enabled = not ${off},
      disabled_reason = case when ${off} then ${rule.reason}::text end,
      disabled_by = case when ${off} then ${attempt.deliverySid}::text end,
      date_updated = case when ${off} then ${at} else s.date_updated end
    from delivery
    where s.sid = delivery.subscription_sid and s.enabled and s.url = ${rule.endpointUrl}::text
      and (${off} or s.failing_since is null
        or coalesce(s.last_failure_at < ${at} - (${at} - ${goesOnSince}) / ${keptPerRun}::int, true))
    returning not s.enabled as switched_off`);
  return { switchedOff: rows[0]?.switched_off ?? false };
}

const instant = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;

function insertAttempt(attempt: AttemptRecord) {
  return sql`
    insert into delivery_attempts (delivery_sid, number, at, duration_ms, url, http_status, error, response_head,
      retry_after)
    values (${attempt.deliverySid}, ${attempt.number}, ${attempt.at.toISOString()}, ${attempt.durationMs}, ${attempt.url},
      ${attempt.httpStatus}, ${attempt.error}, ${attempt.responseHead}, ${attempt.retryAfter?.toISOString() ?? null})
    on conflict (delivery_sid, number) do nothing`;
}

function lastAttempt({ number, at, httpStatus, error }: AttemptRecord) {
  return sql`attempt_count = greatest(attempt_count, ${number}::int), last_http_status = ${httpStatus}::int,
    last_error = ${error}::text, next_attempt_at = null,
    first_attempt_at = coalesce(first_attempt_at, ${at.toISOString()}::timestamptz)`;
}

/** Stores when the next attempt is due, unless the delivery has gone on meanwhile. */
export async function recordNextAttempt(
  db: Queryable,
  next: { readonly deliverySid: string; readonly attemptCount: number; readonly nextAttemptAt: Date },
): Promise<void> {
  await db
    .update(deliveries)
    .set({ nextAttemptAt: next.nextAttemptAt })
    .where(
      and(
        eq(deliveries.sid, next.deliverySid),
        eq(deliveries.state, 'pending'),
        eq(deliveries.attemptCount, next.attemptCount),
      ),
    );
}

/** Ends a delivery that is pending. Key: delivery. */
export async function settleDelivery(
  db: Queryable,
  end: { readonly deliverySid: string; readonly state: DeliveryState; readonly at: Date },
): Promise<void> {
  await db
    .update(deliveries)
    .set({ state: end.state, finishedAt: end.at, nextAttemptAt: null })
    .where(and(eq(deliveries.sid, end.deliverySid), eq(deliveries.state, 'pending')));
}
