/** The registry: what it says of a number, the rules it follows, and how to make it say something else. */
import type { FC } from 'hono/jsx';
import { phoneNumberOf } from '../form.ts';
import { eligibilityOf, lineTypes, registryBehaviours, rules, type Registry } from '../registry.ts';
import { LocalPage } from './layout.tsx';

export const RegistryPage: FC<{ registry: Registry; asked: string | undefined }> = ({
  registry,
  asked = '',
}) => {
  const number = phoneNumberOf(asked);
  const known = registry.known();
  return (
    <LocalPage title="Registry" place="/registry">
      <h1>Registry</h1>
      <p class="lead">
        Knows who routes the texts of a number, says whether it may be hosted, and takes registrations.
        Numbers are landlines without texts, unless a rule below or you say otherwise.
      </p>
      <form class="row" method="get" action="/registry">
        <input name="number" value={asked} placeholder="+14155550123" aria-label="Phone number" />
        <button type="submit">Look up</button>
      </form>
      {asked !== '' && !number && <p>Not a phone number such as +14155550123.</p>}
      {number && <Entry registry={registry} number={number} />}
      <h2>Numbers that were set or are registered</h2>
      {known.length === 0 ? (
        <p class="quiet">None yet.</p>
      ) : (
        <KnownNumbers registry={registry} numbers={known} />
      )}
      <Rules />
    </LocalPage>
  );
};

const Entry: FC<{ registry: Registry; number: string }> = ({ registry, number }) => {
  const facts = registry.facts(number);
  const { eligible, reason } = eligibilityOf(facts);
  return (
    <article class="card">
      <h3 class="number">{number}</h3>
      <p>
        <span class={`state ${eligible ? 'good' : 'bad'}`}>{eligible ? 'eligible' : 'not eligible'}</span>{' '}
        {reason}
      </p>
      <form class="row" method="post" action={`/registry/numbers/${number}`}>
        <label>
          Present holder
          <input name="Holder" value={facts.holder ?? ''} placeholder="nobody" />
        </label>
        <Choice name="LineType" label="Line type" values={lineTypes} value={facts.lineType} />
        <Choice name="Behaviour" label="Behaviour" values={registryBehaviours} value={facts.behaviour} />
        <button type="submit">Set</button>
        <button type="submit" class="secondary" name="Reset" value="true">
          By the rules
        </button>
      </form>
    </article>
  );
};

const Choice: FC<{ name: string; label: string; values: readonly string[]; value: string }> = (props) => (
  <label>
    {props.label}
    <select name={props.name}>
      {props.values.map((value) => (
        <option value={value} selected={value === props.value}>
          {value}
        </option>
      ))}
    </select>
  </label>
);

const KnownNumbers: FC<{ registry: Registry; numbers: readonly string[] }> = ({ registry, numbers }) => (
  <div class="scroll">
    <table>
      <thead>
        <tr>
          {['Number', 'Line', 'Holder', 'Behaviour', 'Registration', 'Letter'].map((title) => (
            <th>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbers.map((number) => {
          const { lineType, holder, behaviour } = registry.facts(number);
          const registration = registry.registration(number);
          return (
            <tr>
              <td>
                <a class="number" href={`/registry?number=${encodeURIComponent(number)}`}>
                  {number}
                </a>
              </td>
              <td>{lineType}</td>
              <td>{holder ?? '–'}</td>
              <td>{behaviour}</td>
              <td title={registration?.reason ?? ''}>{registration?.state ?? '–'}</td>
              <td>
                <small class="number">{registration?.documentSid?.slice(0, 10) ?? '–'}</small>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </div>
);

const Rules: FC = () => (
  <>
    <h2>Rules by the last four digits</h2>
    <div class="scroll">
      <table class="facts">
        <tbody>
          {rules.map(({ ending, meaning }) => (
            <tr>
              <td>
                <code>…{ending}</code>
              </td>
              <td>{meaning}</td>
            </tr>
          ))}
          <tr>
            <td>
              <code>800, 833, 844, 855, 866, 877, 888</code>
            </td>
            <td>toll-free numbers</td>
          </tr>
        </tbody>
      </table>
    </div>
    <p class="quiet">
      By script: <code>GET</code> and <code>POST /registry/numbers/{'{number}'}</code>, form{' '}
      <code>Holder</code>, <code>LineType</code>, <code>Behaviour</code>, or <code>Reset=true</code>.
    </p>
  </>
);
