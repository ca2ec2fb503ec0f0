/** What the customer can do with an order now: the order table says which buttons there are. */
import type { FC, PropsWithChildren } from 'hono/jsx';
import { decideOrder, maxVerificationAttempts } from '../../domain/hosted-number-order.ts';
import { Field } from '../components/field.tsx';
import type { OrderViewProps } from './order-page.tsx';

export const OrderActions: FC<OrderViewProps> = ({ data: { order, facts, number } }) => {
  const may = {
    verify: decideOrder(facts, 'start-verification').allowed,
    mail: decideOrder(facts, 'document-created').allowed,
    cancel: decideOrder(facts, 'cancel').allowed,
    release: decideOrder(facts, 'release').allowed && number !== undefined,
  };
  if (!Object.values(may).includes(true)) return null;
  return (
    <section class="card action-list" id="actions" aria-label="Actions">
      {may.verify && (
        <Verify sid={order.sid} attempts={facts.verificationAttempts} extension={order.extension} />
      )}
      {may.mail && (
        <p>
          <a
            role="button"
            class={may.verify ? 'quiet' : ''}
            href={`/console/documents/new?order=${order.sid}`}
          >
            Send the letter of authorization
          </a>
        </p>
      )}
      {may.cancel && (
        <Confirm
          id="cancel"
          label="Cancel the order"
          text="The order ends, and its letter is withdrawn when no other order needs it."
          action={`/console/orders/${order.sid}/cancel`}
        />
      )}
      {may.release && (
        <Confirm
          id="release"
          label="Release the number"
          text="Sending stops at once. After 3 days the number has no text service any more; until then an administrator can take the release back."
          action={`/console/orders/${order.sid}/release`}
        />
      )}
    </section>
  );
};

const Verify: FC<{ sid: string; attempts: number; extension: string | null }> = ({
  sid,
  attempts,
  extension,
}) => (
  <form id="verify" method="post" action={`/console/orders/${sid}/verify`} hx-morph-skip>
    <button type="submit">Call the number and ask for the code</button>
    <p class="small muted">
      {maxVerificationAttempts - attempts} of {maxVerificationAttempts} calls left. Someone must be there to
      answer.
    </p>
    <details id="verify-options">
      <summary>Extension and delay</summary>
      <div class="fields">
        <Field
          name="Extension"
          label="Extension"
          value={extension ?? ''}
          autocomplete="off"
          hint="Keys sent after the call is answered: digits, *, #, w for half a second."
        />
        <Field name="CallDelay" label="Delay in seconds" type="number" hint="0 to 60." />
      </div>
    </details>
  </form>
);

/** A step that cannot be taken back asks twice, without a script. */
export const Confirm: FC<PropsWithChildren<{ id: string; label: string; text: string; action: string }>> = ({
  id,
  label,
  text,
  action,
  children,
}) => (
  <details id={id} class="confirm" hx-morph-skip>
    <summary>{label}</summary>
    <form method="post" action={action}>
      <p class="small">{text}</p>
      {children}
      <button type="submit" class="danger">
        {label}
      </button>
    </form>
  </details>
);
