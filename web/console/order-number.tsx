/** Where incoming texts of a number go. Can be set from the moment the order exists. */
import type { FC } from 'hono/jsx';
import type { NumberRow } from '../../db/reads/incoming-phone-numbers.ts';
import { Field } from '../components/field.tsx';

export const NumberSettings: FC<{ number: NumberRow; editable: boolean }> = ({ number, editable }) => (
  <section class="card" id="number-settings" hx-morph-skip>
    <h2>Incoming texts</h2>
    {editable ? <SettingsForm number={number} /> : <SettingsList number={number} />}
    <p class="small muted">
      Number <code class="sid">{number.sid}</code>
    </p>
  </section>
);

const SettingsForm: FC<{ number: NumberRow }> = ({ number }) => (
  <form method="post" action={`/console/orders/${number.orderSid}/number`}>
    <input type="hidden" name="NumberSid" value={number.sid} />
    <Field
      name="SmsUrl"
      label="URL that is called"
      type="url"
      value={number.smsUrl ?? ''}
      hint="It is sent each text in Twilio’s form and may answer with TwiML."
    />
    <Field
      name="SmsFallbackUrl"
      label="URL when that one fails"
      type="url"
      value={number.smsFallbackUrl ?? ''}
    />
    <button type="submit" class="quiet">
      Save
    </button>
  </form>
);

const SettingsList: FC<{ number: NumberRow }> = ({ number }) => (
  <dl class="facts">
    <dt>URL that is called</dt>
    <dd>{number.smsUrl ?? 'None'}</dd>
    <dt>URL when that one fails</dt>
    <dd>{number.smsFallbackUrl ?? 'None'}</dd>
  </dl>
);
