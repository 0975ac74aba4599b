import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../../base/problems.ts';
import type { TapeColumn, TapeSeries } from '../../history/tape/series.ts';
import { DAY_MINUTES } from '../../history/tape/store.ts';
import { choice, coinText, exchanges, integer, text, time } from '../../query/kinds.ts';
import type { ValuesOf } from '../../query/parameter.ts';
import { type SeriesContract, seriesContracts } from '../funding-history/series.ts';
import { type HistoryWindow, windowWithin } from '../funding-history/window.ts';
import type { OperationContext } from '../operation.ts';
import { checkExchanges } from '../served-exchanges.ts';
import { minutesOf, STEP_RULES, STEPS, type Step, type StepMinutes } from './steps.ts';

const MAX_SYMBOL_LENGTH = 60;
const MAX_DAYS = 180;
/** 31 days by minute of one contract. */
const MOST_POINTS = 45_000;
/** A day of a contract takes a tenth of a millisecond to read. */
const MOST_CONTRACT_DAYS = 1_000;

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
    'Start of the window, included; default 1 day before to (1m), 7 days (5m, 1h) or 30 days (1d), narrowed to the depth of the plan',
  ),
  to: time('to', 'End of the window, included; default now, and never later'),
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
  window: HistoryWindow;
  minutes: StepMinutes;
  contracts: readonly SeriesContract[];
}

/** Checks everything before any data is read. */
export function tapeRequest(
  values: ValuesOf<typeof TAPE_PARAMETERS>,
  context: OperationContext,
): TapeRequest {
  const { coin = '', exchange, symbol, from, to, days, step = '1h' } = values;
  checkExchanges(context, exchange);
  const window = windowWithin(STEP_RULES[step], { from, to, days }, context.plan, context.nowMs);
  const contracts = seriesContracts({ coin, only: exchange, without: undefined, symbol }, context);
  const minutes = minutesOf(window, step);
  refuseTooMuch(minutes, contracts.length, step);
  return { coin, step, window, minutes, contracts };
}

function refuseTooMuch({ fromMinute, toMinute, steps }: StepMinutes, venues: number, step: Step): void {
  const points = steps * venues;
  const days = Math.ceil((toMinute - fromMinute + 1) / DAY_MINUTES) * venues;
  if (points <= MOST_POINTS && days <= MOST_CONTRACT_DAYS) return;
  const asked = points > MOST_POINTS ? `${points} points` : `${days} days of contracts`;
  const most = points > MOST_POINTS ? `${MOST_POINTS} points` : `${MOST_CONTRACT_DAYS}`;
  throw new Problem(
    'invalid-parameter',
    `This window has ${asked} (${venues} ${venues === 1 ? 'venue' : 'venues'}, step=${step}); one call gives at most ${most}. Name fewer venues in "exchange", a longer "step" or a shorter window.`,
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
