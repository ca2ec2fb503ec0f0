/** What an administrator can do with an order now. Every step asks for a reason, which goes into the timeline. */
import type { FC, PropsWithChildren } from 'hono/jsx';
import { decideOrder, type ResolveTarget, resolveTargets } from '../../domain/hosted-number-order.ts';
import { Field } from '../components/field.tsx';
import type { OrderViewProps } from './order-page.tsx';

const targetTexts: Readonly<Record<ResolveTarget, string>> = {
  received: 'received: ownership is to be verified anew, and a letter signed',
  verified: 'verified: ownership is proved; a new letter is to be signed',
  'pending-loa': 'pending-loa: the letter is still to be signed, or ownership to be verified',
  'carrier-processing': 'carrier-processing: submit it to the registry again',
};

export const OperatorActions: FC<OrderViewProps> = ({ data: { order, facts } }) => {
  const targets = resolveTargets.filter((target) => decideOrder(facts, `resolve-${target}`).allowed);
  const may = {
    resolve: targets.length > 0,
    reset: decideOrder(facts, 'reset-verification').allowed,
    review: facts.billUnderReview,
    decide: facts.status === 'carrier-processing',
    restore: decideOrder(facts, 'restore').allowed,
  };
  if (!Object.values(may).includes(true)) return null;
  const action = (name: string): string => `/console/orders/${order.sid}/${name}`;
  return (
    <section class="card action-list" id="actions" aria-label="Actions">
      {may.review && (
        <OperatorForm id="review" title="Review the phone bill" action={action('review')} open>
          <Decision yes="It proves that the customer owns the number" no="It does not" />
        </OperatorForm>
      )}
      {may.decide && (
        <OperatorForm id="registry" title="Enter what the registry decided" action={action('registry')}>
          <Decision yes="It routes the number here" no="It refused" />
        </OperatorForm>
      )}
      {may.resolve && (
        <OperatorForm id="resolve" title="Resolve the order" action={action('resolve')} open>
          <label for="Target">Send it on to</label>
          <select id="Target" name="Target" required>
            {targets.map((target) => (
              <option value={target}>{targetTexts[target]}</option>
            ))}
          </select>
        </OperatorForm>
      )}
      {may.reset && (
        <OperatorForm id="reset" title="Give the verification attempts back" action={action('reset')} />
      )}
      {may.restore && (
        <OperatorForm id="restore" title="Take the release back" action={action('restore')} open />
      )}
    </section>
  );
};

const Decision: FC<{ yes: string; no: string }> = ({ yes, no }) => (
  <fieldset>
    <legend class="sr-only">Decision</legend>
    <label>
      <input type="radio" name="Accepted" value="true" required /> {yes}
    </label>
    <label>
      <input type="radio" name="Accepted" value="false" required /> {no}
    </label>
  </fieldset>
);

const OperatorForm: FC<PropsWithChildren<{ id: string; title: string; action: string; open?: boolean }>> = ({
  id,
  title,
  action,
  open = false,
  children,
}) => (
  <details id={id} class="confirm" open={open} hx-morph-skip>
    <summary>{title}</summary>
    <form method="post" action={action}>
      {children}
      <Field name="Reason" label="Reason" maxlength={500} hint="The customer sees it in the timeline." />
      <button type="submit">{title}</button>
    </form>
  </details>
);
