/** The last steps of an order: the registry routes the number here, and test messages go both ways. */
import { ActivityFailure, condition, patched } from '@temporalio/workflow';
import type { Eligibility, RegistrationState } from '../domain/ports.ts';
import type { OrderTimers } from '../domain/timers.ts';
import { droppable } from './cancellation.ts';
import { network, registry } from './order-activities.ts';
import type { LiveOrder } from './order-state.ts';

/** What reached the order from outside while it waited. */
export interface CarrierNews {
  registryDecision: RegistrationState | null;
  /** Ends a question to the registry that is under way. */
  dropQuestion: (() => void) | null;
  /** Highest round of the route test whose text came back. */
  arrivedRound: number;
}

/** Keeps asking a slow registry until it answers or its deadline is over. */
export async function awaitEligibility(order: LiveOrder, timers: OrderTimers): Promise<void> {
  const { phoneNumber } = order.request;
  let answer: Eligibility;
  try {
    const asking = registry('is the number eligible?', timers.eligibilityDeadlineMs);
    answer = await asking.checkEligibility({ phoneNumber });
  } catch (err) {
    if (!(err instanceof ActivityFailure)) throw err;
    answer = {
      kind: 'ineligible',
      reason: 'The registry could not be asked whether the number is eligible',
      holder: null,
    };
  }
  if (answer.kind === 'eligible') {
    order.apply('eligibility-confirmed', { actor: 'registry', what: 'the number is eligible' });
  } else {
    const failure = answer.reason;
    order.apply('eligibility-refused', {
      actor: 'registry',
      what: 'the number is not eligible',
      why: failure,
      failure,
    });
  }
  await order.publish();
}

/** A question that is asked at the very deadline still gets an answer. */
const shortestAskMs = 60_000;

/** Submits the number to the registry and waits for its decision. */
export async function register(order: LiveOrder, news: CarrierNews, timers: OrderTimers): Promise<void> {
  news.registryDecision = null;
  order.state.submissionCount += 1;
  const decision = await decisionOf(order, news, timers);
  news.dropQuestion = null;
  if (decision.state === 'accepted') {
    order.apply('registry-accepted', { actor: 'registry', what: 'the registry routes the number here' });
  } else {
    const why = decision.state === 'rejected' ? decision.reason : 'The registry did not decide in time';
    order.apply('registry-rejected', {
      actor: 'registry',
      what: 'the registry rejected the number',
      why,
      failure: why,
    });
  }
  await order.publish();
}

async function decisionOf(
  order: LiveOrder,
  news: CarrierNews,
  timers: OrderTimers,
): Promise<RegistrationState> {
  const { sid: orderSid, phoneNumber } = order.request;
  const deadline = Date.now() + timers.registryDeadlineMs;
  /** What the registry is asked is tried again until the deadline. */
  const untilDeadline = (summary: string) =>
    registry(summary, Math.max(shortestAskMs, deadline - Date.now()));
  const submission = {
    orderSid,
    phoneNumber,
    documentSid: order.facts.documentSid,
    submission: order.state.submissionCount,
  };
  try {
    let decision = await ask(news, () =>
      untilDeadline('submit to the registry').submitRegistration(submission),
    );
    for (let pauseMs = timers.registryPollMs; decision.state === 'pending' && Date.now() < deadline; ) {
      news.dropQuestion = null;
      await condition(() => news.registryDecision !== null, pauseMs, {
        summary: 'the registry is working on it',
      });
      pauseMs = Math.min(pauseMs * 2, timers.registryPollMaximumMs);
      decision =
        news.registryDecision ??
        (await ask(news, () =>
          untilDeadline('ask the registry').fetchRegistration({ orderSid, phoneNumber }),
        ));
    }
    return decision;
  } catch (err) {
    if (!(err instanceof ActivityFailure)) throw err;
    if (news.registryDecision !== null && hearsAtOnce()) return news.registryDecision;
    return { state: 'rejected', reason: 'The registry could not be reached' };
  }
}

/** What is entered while the registry is asked counts. At first its answer was waited for, and counted alone. */
const hearsAtOnce = (): boolean => patched('registry-not-waited-for');

/** Asks the registry, which may be down: the question is dropped, and fails, when somebody enters the decision meanwhile. */
function ask(news: CarrierNews, question: () => Promise<RegistrationState>): Promise<RegistrationState> {
  const { answer, drop } = droppable(question);
  news.dropQuestion = () => {
    if (hearsAtOnce()) drop();
  };
  return answer;
}

/** Sends a text from the number to the test handset, whose answer proves the way back. */
export async function testRoute(order: LiveOrder, news: CarrierNews, timers: OrderTimers): Promise<void> {
  const { sid: orderSid, phoneNumber } = order.request;
  news.arrivedRound = 0;
  for (let round = 1; round <= timers.routeTestRounds && news.arrivedRound === 0; round++) {
    await network(`route test ${round}: send`).sendRouteTest({ orderSid, phoneNumber, round });
    await condition(() => news.arrivedRound > 0, timers.routeTestRoundMs, {
      summary: `route test ${round}: the answer is on its way`,
    });
  }
  if (news.arrivedRound > 0) {
    order.apply('route-passed', {
      actor: 'carrier',
      what: `test messages went both ways in round ${news.arrivedRound}`,
    });
  } else {
    const failure = `No test message came back in ${timers.routeTestRounds} rounds`;
    order.apply('route-failed', { actor: 'carrier', what: 'the route test failed', why: failure, failure });
  }
  await order.publish();
}
