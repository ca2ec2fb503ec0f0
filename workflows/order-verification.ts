/** One ownership verification call of an order, from its delay to its end. Source: service.md §3.1, domain.md §6.2 rows 6 to 11. */
import { ActivityFailure, condition, patched } from '@temporalio/workflow';
import {
  isCallOver,
  outcomeOf,
  tokenPromptsPerCall,
  type AttemptOutcome,
  type CallStatus,
} from '../domain/verification.ts';
import type { OrderFacts } from '../domain/hosted-number-order.ts';
import type { CallPlacement } from '../domain/ports.ts';
import { droppable } from './cancellation.ts';
import type { Answer } from './messages.ts';
import { network, placing, recording } from './order-activities.ts';
import type { LiveOrder } from './order-state.ts';

/** Time a provider's callback may come before we know the call's sid from the answer to our own request. */
const placementGrace = '10 seconds';

export class VerificationCall {
  private readonly order: LiveOrder;
  readonly callNumber: number;
  private readonly deadlineMs: number;
  /** Known once the provider has taken the call. */
  callSid: string | null = null;
  /** The provider would not place the call that the client waits for: the attempt was taken back. */
  takenBack = false;
  /** The client need not wait any longer: the call is placed, refused, or waits for its delay. */
  underWay = false;
  private readonly begun: number;
  private endedWith: CallStatus | null = null;
  /** The provider has answered whether it places the call, or is asked no more. */
  private answered = false;
  /** Final statuses that overtook the answer to our request, by call sid. */
  private readonly early = new Map<string, CallStatus>();

  constructor(order: LiveOrder, deadlineMs: number) {
    this.order = order;
    this.deadlineMs = deadlineMs;
    this.begun = order.callsBegun;
    this.callNumber = ++order.state.callCount;
  }

  /** Resolves when the call is over and its attempt is closed, whatever the outcome. */
  async conduct(): Promise<void> {
    const { callDelay } = this.order.state.fields;
    await recording('make the code').openVerificationAttempt({
      orderSid: this.order.request.sid,
      callNumber: this.callNumber,
      at: new Date().toISOString(),
    });
    this.underWay = callDelay > 0;
    if (callDelay > 0)
      await condition(() => !this.live, callDelay * 1000, { summary: `wait ${callDelay} s before the call` });
    if (this.live) await this.place(callDelay > 0);
    this.underWay = true;
    if (this.callSid !== null) await this.untilOver(this.callSid);
    await this.close();
  }

  /** The provider's report of the call. A late report of an earlier call changes nothing. */
  progress(callSid: string, status: CallStatus): void {
    if (!isCallOver(status)) return;
    if (this.callSid === null) this.early.set(callSid, status);
    else if (callSid === this.callSid) this.endedWith = status;
  }

  /** The callee keyed six digits at one of the four prompts. */
  async enterToken(
    callSid: string,
    prompt: number,
    correct: boolean,
  ): Promise<Answer<{ verified: boolean; promptsLeft: number }>> {
    await condition(() => this.callSid !== null || !this.live, placementGrace);
    if (callSid !== this.callSid || !this.live) return { ok: false, code: 22114 };
    const promptsLeft = Math.max(0, tokenPromptsPerCall - prompt);
    if (correct) {
      const { status } = this.order.facts;
      this.order.apply('code-entered', {
        actor: 'callee',
        what: 'entered the right code; ownership is verified',
      });
      await this.order.publish({ statusChanged: this.tells(status) });
    } else {
      this.order.note({
        actor: 'callee',
        what: `entered a wrong code at prompt ${prompt} of ${tokenPromptsPerCall}`,
      });
      await this.order.publish({ statusChanged: false });
    }
    return { ok: true, value: { verified: correct, promptsLeft } };
  }

  /** A call that was ended from outside may still be hanging up when the next one begins, which is not its own. */
  private get live(): boolean {
    const { facts, callsBegun } = this.order;
    return facts.callLive && (callsBegun === this.begun || !patched('calls-told-apart'));
  }

  /** Beside a letter the status stays what it was, which at first was told as a change. */
  private tells(before: OrderFacts['status']): boolean {
    return this.order.facts.status !== before || !patched('only-changes-are-told');
  }

  private async place(delayed: boolean): Promise<void> {
    const { state } = this.order;
    let placed: CallPlacement;
    try {
      placed = await this.askProvider();
    } catch (err) {
      if (!(err instanceof ActivityFailure)) throw err;
      if (!this.live) return;
      placed = { placed: false, reason: 'The voice provider could not be reached' };
    } finally {
      this.answered = true;
    }
    if (!placed.placed) {
      // A call that the client still waits for is taken back whole; one that was promised has used an attempt.
      this.endedWith = 'failed';
      if (delayed) return;
      this.takenBack = true;
      const { status } = this.order.facts;
      this.order.apply('call-refused', {
        actor: 'carrier',
        what: 'the verification call could not be started',
        why: placed.reason,
      });
      await this.order.publish({ statusChanged: this.tells(status) });
      return;
    }
    state.callSids = [...state.callSids, placed.callSid];
    this.endedWith = this.early.get(placed.callSid) ?? null;
    this.callSid = placed.callSid;
    await this.order.publish({ statusChanged: false });
  }

  /** Has the call placed, unless it is not wanted any more before a provider that is down is back. */
  private askProvider(): Promise<CallPlacement> {
    const { request, state } = this.order;
    const { answer, drop } = droppable(() =>
      placing(`verification call ${this.callNumber}`, this.deadlineMs).placeVerificationCall({
        orderSid: request.sid,
        callNumber: this.callNumber,
        to: request.phoneNumber,
        extension: state.fields.extension,
      }),
    );
    // No deadline: the activity has one.
    void condition(() => this.answered || !this.live).then(() => {
      if (!this.answered && patched('unwanted-call-is-not-placed')) drop();
    });
    return answer;
  }

  private async untilOver(callSid: string): Promise<void> {
    const over = (): boolean => this.endedWith !== null || !this.live;
    while (
      !(await condition(over, this.deadlineMs, { summary: 'the call is on; look it up if no word comes' }))
    ) {
      const { status } = await network('ask how the call stands').fetchVerificationCall({ callSid });
      this.progress(callSid, status);
    }
    const broughtToAnEnd = this.endedWith === null && !this.order.facts.ownershipVerified;
    if (broughtToAnEnd) await network('hang up').endVerificationCall({ callSid });
  }

  private async close(): Promise<void> {
    const outcome = this.outcome();
    await recording(`close the attempt: ${outcome}`).closeVerificationAttempt({
      orderSid: this.order.request.sid,
      callNumber: this.callNumber,
      callSid: this.callSid,
      outcome,
      at: new Date().toISOString(),
    });
    if (this.takenBack || !this.live) return;
    const what = `verification call ${this.order.facts.verificationAttempts} ended: ${outcome}`;
    const failure = `Ownership was not verified in ${this.order.facts.verificationAttempts} calls`;
    const before = this.order.facts.status;
    this.order.apply('call-failed', { actor: 'callee', what, failure });
    await this.order.publish({ statusChanged: this.order.facts.status !== before });
  }

  private outcome(): AttemptOutcome {
    if (this.order.facts.ownershipVerified) return 'verified';
    if (this.order.facts.canceled) return 'canceled';
    return outcomeOf(this.endedWith ?? 'canceled');
  }
}
