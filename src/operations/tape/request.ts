import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../../base/problems.ts';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../base/times.ts';
import type { TapeColumn, TapeSeries } from '../../history/tape/series.ts';
import { DAY_MINUTES } from '../../history/tape/store.ts';
import { choice, coinText, exchanges, integer, text, time } from '../../query/kinds.ts';
import type { ValuesOf } from '../../query/parameter.ts';
import { type SeriesContract, seriesContracts } from '../funding-history/series.ts';
import {
  type AnsweredWindow,
  answeredWindow,
  type HistoryWindow,
  newestMinute,
  windowWithin,
} from '../funding-history/window.ts';
import type { OperationContext } from '../operation.ts';
import { checkExchanges } from '../served-exchanges.ts';
import { minutesOf, STEP_RULES, STEPS, type Step, type StepMinutes } from './steps.ts';

const MAX_SYMBOL_LENGTH = 60;
const MAX_DAYS = 180;
/** 31 days by minute of one contract. */
export const MOST_POINTS = 45_000;
/** A day of a contract takes a tenth of a millisecond to read. */
export const MOST_CONTRACT_DAYS = 1_000;
const HOURS_PER_DAY = DAY_MS / HOUR_MS;

/** The parameters of every answer from the tape. */
export const TAPE_PARAMETERS = {
  coin: coinText('coin', 'Ticker without multiplier, in any case'),
  exchange: exchanges('exchange', 'Venues, as /exchanges spells them; default all that quote the coin'),
  symbol: {
    ...text(
      'symbol',
      MAX_SYMBOL_LENGTH,
      "Another contract than the venue's largest linear one: its symbol (BTC-USD) or the venue's own spelling of it",
    ),
    allowsEmpty: false,
    example: 'BTC-USDT',
  },
  from: time(
    'from',
    'Start of the window, included; default 12 hours before to (1m), 2 days (5m), 7 days (1h) or 14 days (1d), which every coin fits, narrowed to the depth of the plan',
  ),
  to: time('to', 'End of the window, included; default the end of the newest minute, and never later'),
  days: {
    ...integer(
      'days',
      { min: 1, max: MAX_DAYS },
      'Days before to at which the window starts; ignored when from is given, whatever its value',
    ),
    ignoredWith: ['from'],
  },
  step: choice(
    'step',
    STEPS,
    'Minutes, five minutes, hours (default) or UTC days. One call gives up to 31 days of 1m, 92 of 5m, 180 of 1h and 1d, and at most 45,000 points and 1,000 days of contracts together',
  ),
};

export interface TapeRequest {
  coin: string;
  step: Step;
  window: AnsweredWindow;
  minutes: StepMinutes;
  contracts: readonly SeriesContract[];
}

/** Checks everything before any data is read. `path` is that of the operation. */
export async function tapeRequest(
  values: ValuesOf<typeof TAPE_PARAMETERS>,
  path: string,
  context: OperationContext,
): Promise<TapeRequest> {
  const { coin = '', exchange, symbol, from, to, days, step = '1h' } = values;
  checkExchanges(context, exchange);
  const ask = (fittingDays: number) =>
    windowWithin({ ...STEP_RULES[step], fittingDays }, { from, to, days }, context.plan, context.nowMs);
  // Faults of the window come before those of the coin.
  ask(STEP_RULES[step].mostDays);
  const contracts = seriesContracts({ coin, only: exchange, without: undefined, symbol }, context);
  const fittingDays = mostDaysOf(step, contracts.length);
  const window = ask(fittingDays);
  refuseTooMuch(minutesOf(window, step), contracts.length, step, () => {
    const fromMs = Math.max(window.fromMs, window.toMs - fittingDays * DAY_MS);
    const sent = {
      coin,
      step,
      ...(exchange ? { exchange: exchange.join(',') } : {}),
      ...(symbol ? { symbol } : {}),
    };
    return `${path}?${new URLSearchParams({ ...sent, from: isoTime(fromMs), to: isoTime(window.toMs) })}`;
  });
  const newest = window.isOpen ? await newestOf(contracts, window, context) : null;
  const answered = window.isOpen
    ? answeredWindow(
        window,
        newest === null ? null : (newest + 1) * MINUTE_MS,
        STEP_RULES[step].minutes * MINUTE_MS,
        0,
      )
    : { ...window, asOfMs: window.toMs, isNarrowed: false };
  const minutes = minutesOf({ ...answered, visibleMs: window.visibleMs }, step);
  return { coin, step, window: answered, minutes, contracts };
}

/** The longest window that one call gives for so many venues: whole days, or whole hours under a day. */
export function mostDaysOf(step: Step, venues: number): number {
  const { minutes, mostDays } = STEP_RULES[step];
  const each = Math.max(1, venues);
  // A window that starts and ends with a step has one step more, which may be on another day.
  const days = Math.min(
    mostDays,
    MOST_CONTRACT_DAYS / each - 1,
    (MOST_POINTS / each - 1) * (minutes / DAY_MINUTES),
  );
  return days >= 1 ? Math.floor(days) : Math.floor(days * HOURS_PER_DAY) / HOURS_PER_DAY;
}

/** The last minute that was recorded of any of the contracts; null if none was. */
async function newestOf(
  contracts: readonly SeriesContract[],
  { fromMs, visibleMs }: HistoryWindow,
  { data }: OperationContext,
): Promise<number | null> {
  const endedMinute = Math.floor(visibleMs / MINUTE_MS) - 1;
  return await newestMinute(Math.floor(fromMs / MINUTE_MS), endedMinute, async (fromMinute, toMinute) => {
    let last = -1;
    for (const contract of contracts) {
      const series = await data.tape.series(contract, fromMinute, toMinute, ['ratePct']);
      last = Math.max(
        last,
        series.column('ratePct').findLastIndex((rate) => !Number.isNaN(rate)),
      );
      if (fromMinute + last === toMinute) break;
      await nextTurn();
    }
    return last < 0 ? null : fromMinute + last;
  });
}

function refuseTooMuch(
  { fromMinute, toMinute, steps }: StepMinutes,
  venues: number,
  step: Step,
  callThatWorks: () => string,
): void {
  const points = steps * venues;
  const days = Math.ceil((toMinute - fromMinute + 1) / DAY_MINUTES) * venues;
  if (points <= MOST_POINTS && days <= MOST_CONTRACT_DAYS) return;
  const asked = points > MOST_POINTS ? `${points} points` : `${days} days of contracts`;
  const most = points > MOST_POINTS ? `${MOST_POINTS} points` : `${MOST_CONTRACT_DAYS}`;
  throw new Problem(
    'invalid-parameter',
    `This window has ${asked} (${venues} ${venues === 1 ? 'venue' : 'venues'}, step=${step}); one call gives at most ${most}. Name fewer venues in "exchange", a longer "step" or a shorter window; this call works: ${callThatWorks()}`,
  );
}

export interface ReadSeries {
  contract: SeriesContract;
  series: TapeSeries;
}

/** The series of each venue, by name. A venue that no longer quotes the coin is there if it has any minute. */
export async function* readSeries(
  { contracts, minutes: { fromMinute, toMinute } }: TapeRequest,
  columns: readonly TapeColumn[],
  { data }: OperationContext,
): AsyncGenerator<ReadSeries> {
  for (const contract of contracts) {
    const series = await data.tape.series(contract, fromMinute, toMinute, columns);
    await nextTurn();
    if (contract.isLive || !series.column('ratePct').every(Number.isNaN)) yield { contract, series };
  }
}
