import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { addressGroup } from '../../../accounts/keys/rejected-keys.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { AddressOf } from '../address.ts';
import { isForPrograms } from '../refusing.ts';
import { type Payer, type PayerLimits, Payers } from './payers.ts';
import { Turns, type Work } from './turns.ts';

/** How much computing time callers may use. */
export interface Budgets extends PayerLimits {
  /** Milliseconds in a second for all visitors without an account together. 0 is no limit. */
  visitorsMsPerSecond: number;
  clock: Pick<Clock, 'monotonicMs'>;
  /** How long the serving thread has worked, in milliseconds. By default measured; tests replace it. */
  workedMs?: () => number;
  /** Names the key of a call, or the account of a session; null for a stranger. */
  accountOf: (headers: IncomingHttpHeaders, isForPrograms: boolean) => string | null;
}

interface AdmissionOptions {
  /** Absent: nobody's time is limited, and all requests are answered as they come. */
  budgets?: Budgets;
  addressOf: AddressOf;
}

/** Uses the budget of a request for what goes on after its answer has started, such as the pages of a stream. */
export interface Spender {
  /** Runs it, takes its time from the budget, and returns what it returns. */
  spend<Result>(run: () => Result): Result;
  readonly hasTime: boolean;
}

export interface Admission {
  /** Lets a request start in its turn, or refuses it. */
  admit(request: IncomingMessage, response: ServerResponse, answer: Pick<Work, 'start' | 'refuse'>): void;
  /** Call it for each connection that was accepted. */
  accepted(): void;
  spenderOf(request: IncomingMessage): Spender;
}

/** Files that cost next to nothing, and without which no page can be read. */
const FILES = /^\/(?:assets\/|icons\/|cards\/|icon\.svg|favicon\.ico|robots\.txt)/;

const NO_BUDGETS: Budgets = {
  ...{ visitorMsPerSecond: 0, visitorsMsPerSecond: 0, accountMsPerSecond: 0 },
  clock: systemClock,
  accountOf: () => null,
};

export function admission(options: AdmissionOptions): Admission {
  const { addressOf, budgets } = options;
  const { accountOf, clock, visitorsMsPerSecond, workedMs = threadMs } = budgets ?? NO_BUDGETS;
  const nowMs = () => clock.monotonicMs();
  const payers = new Payers(budgets ?? NO_BUDGETS);
  const turns = new Turns({ visitorsMsPerSecond, nowMs, workedMs });
  const payerOf = (request: IncomingMessage): Payer => {
    const account = accountOf(request.headers, isForPrograms(request.url ?? ''));
    return account === null
      ? payers.visitor(addressGroup(addressOf(request)), nowMs())
      : payers.account(account, nowMs());
  };
  return {
    admit: (request, response, answer) => {
      const { url = '', method } = request;
      if (method === 'OPTIONS' || FILES.test(url)) return answer.start();
      const payer = payerOf(request);
      // Files are sent in the order in which they were asked for, so they all wait in one line.
      const isCall = payer.isAccount && isForPrograms(url) && !url.startsWith('/lake/');
      turns.add({ payer, request, response, ...answer }, isCall || budgets === undefined);
    },
    accepted: () => turns.accepted(),
    spenderOf: (request) => {
      const payer = payerOf(request);
      return {
        spend: (run) => {
          const beforeMs = workedMs();
          try {
            return run();
          } finally {
            turns.charge(payer, workedMs() - beforeMs);
          }
        },
        get hasTime() {
          return turns.hasTime(payer);
        },
      };
    },
  };
}

/** Time on the processor: on a busy machine, waiting for it is nobody's use. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
