/** Documents of a fake world: what is asked of them, and what their timelines say. */
import {
  signDocumentUpdate,
  updateDocumentUpdate,
  type Answer,
  type DocumentUpdate,
} from '../../workflows/messages.ts';
import type { FakeDocument, FakeWorld } from './fake-world.ts';
import { signature } from './signature.ts';
import { until } from './until.ts';

export const changeDocument = (document: FakeDocument, update: DocumentUpdate): Promise<Answer> =>
  document.handle.executeUpdate(updateDocumentUpdate, { args: [update] });

export const signDocument = (document: FakeDocument, mailing = 1): Promise<Answer> =>
  document.handle.executeUpdate(signDocumentUpdate, { args: [{ mailing, signature }] });

/** What the timelines of the world's documents say so far. */
export const notesOf = (world: FakeWorld): string[] =>
  world.asked('recordDocument').flatMap(({ timeline }) => timeline.map(({ what }) => what));

/** Waits until something is noted, so many times. */
export const untilNoted = (world: FakeWorld, what: string, times = 1): Promise<unknown> =>
  until(() => notesOf(world).filter((note) => note === what).length >= times, { what });

/**
 * Waits until the invitation is mailed and noted. A change before that calls the mail off, and a mail that is called
 * off while it is being sent keeps the clock of the time-skipping server from jumping.
 */
export const untilMailed = (world: FakeWorld, mailings = 1): Promise<unknown> =>
  untilNoted(world, 'mailed the letter to the signer', mailings);
