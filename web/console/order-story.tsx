/** What happened: the timeline, and the verification calls. */
import type { FC } from 'hono/jsx';
import type { TimelineRow } from '../../db/reads/timeline.ts';
import type { VerificationAttemptRow } from '../../db/reads/verification-attempts.ts';
import { When } from '../components/when.tsx';
import { Status } from '../components/status.tsx';

/**
 * Newest first: what changed last is what one looks for. Who it was stands apart from what happened, of which some entries
 * are whole sentences (“the number is eligible”) and others go on from the actor (“signed the letter”).
 */
export const StoryCard: FC<{ timeline: readonly TimelineRow[] }> = ({ timeline }) => (
  <section class="card">
    <h2>Story</h2>
    {timeline.length === 0 && <p class="muted">Nothing has happened yet.</p>}
    <ol class="story" reversed>
      {timeline.toReversed().map((entry, index, entries) => (
        <li>
          <p>
            {capital(entry.what)}
            {entry.status !== entries[index + 1]?.status && (
              <>
                {' '}
                <Status status={entry.status} />
              </>
            )}
          </p>
          {entry.why && <p class="small">{entry.why}</p>}
          <p class="small muted">
            {capital(entry.actor)} · <When at={entry.at} />
          </p>
        </li>
      ))}
    </ol>
  </section>
);

const outcomes: Readonly<Record<NonNullable<VerificationAttemptRow['outcome']>, string>> = {
  verified: 'The right code was entered',
  'not-entered': 'Answered, but the right code was not entered',
  'no-answer': 'Nobody answered',
  busy: 'The line was busy',
  failed: 'The call could not be put through',
  canceled: 'The call was ended',
};

export const CallsCard: FC<{ attempts: readonly VerificationAttemptRow[] }> = ({ attempts }) =>
  attempts.length === 0 ? null : (
    <section class="card scroll">
      <h2>Verification calls</h2>
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">Outcome</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt) => (
            <tr>
              <th scope="row">{`No. ${attempt.callNumber}`}</th>
              <td>
                {attempt.outcome === null ? 'Under way' : outcomes[attempt.outcome]}
                {attempt.callSid && (
                  <>
                    <br />
                    <code class="sid">{attempt.callSid}</code>
                  </>
                )}
              </td>
              <td>
                <When at={attempt.startedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
