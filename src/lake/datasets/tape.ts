import type { Log } from '../../base/log.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { FIVE, type TapeColumn, type TapeSeries } from '../../history/tape/series.ts';
import { TapeStore } from '../../history/tape/store.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  CONTRACT_COLUMNS,
  type LakeColumn,
  type LakeDay,
  type LakeRows,
  type LakeSource,
  type LakeTable,
  type LakeValue,
} from '../dataset.ts';
import { byContract } from './prints.ts';

const AT: LakeColumn = {
  name: 'at',
  type: 'time',
  isNullable: false,
  description: 'Start of five minutes; the values were known at their end',
};
const number = (name: string, description: string, isNullable = true): LakeColumn => ({
  ...{ name, type: 'number', isNullable, description },
});
const SORTED_BY = ['coin', 'exchange', 'venue_symbol', 'at'];
const ROWS_PER_GROUP = 20_000;

export const RUNNING: LakeTable = {
  name: 'running',
  description: 'The running rate of every contract, which is not yet paid, every five minutes',
  columns: [
    ...CONTRACT_COLUMNS,
    AT,
    number('rate_pct', 'Last rate of the five minutes, in percent of one interval', false),
    number('low_rate_pct', 'Lowest rate of their minutes', false),
    number('high_rate_pct', 'Highest rate of their minutes', false),
    { name: 'interval_hours', type: 'integer', isNullable: true, description: 'Hours that the rate is for' },
    { name: 'next_funding_at', type: 'time', isNullable: true, description: 'When it is settled next' },
  ],
  sortedBy: SORTED_BY,
  rowsPerGroup: ROWS_PER_GROUP,
};

export const OPEN_INTEREST: LakeTable = {
  name: 'open_interest',
  description: 'Open interest, mark price, premium and volume of every contract, every five minutes',
  columns: [
    ...CONTRACT_COLUMNS,
    AT,
    number('open_interest_usdt', 'Open interest in USDT; null if the venue does not give it'),
    number('mark_price', 'Mark price'),
    number('premium_pct', 'Mark price against index price, in percent'),
    number('volume_24h_usdt', 'Turnover of 24 hours in USDT'),
  ],
  sortedBy: SORTED_BY,
  rowsPerGroup: ROWS_PER_GROUP,
};

/** What one contract has of five minutes, from the places of its minutes; null for a gap. */
type FiveValues = (series: TapeSeries, firstPlace: number, lastPlace: number) => LakeValue[] | null;

/** The tape of a day. It is written within the minute and never changes, so a file has its own day only. */
export class TapeSource implements LakeSource {
  readonly table: LakeTable;
  readonly #store: TapeStore;
  readonly #columns: readonly TapeColumn[];
  readonly #values: FiveValues;

  private constructor(
    table: LakeTable,
    store: TapeStore,
    columns: readonly TapeColumn[],
    values: FiveValues,
  ) {
    this.table = table;
    this.#store = store;
    this.#columns = columns;
    this.#values = values;
  }

  static running(storage: Storage, log: Log): TapeSource {
    const columns = ['ratePct', 'intervalHours', 'nextFundingAtMs'] as const;
    return new TapeSource(RUNNING, new TapeStore(storage, log), columns, runningValues);
  }

  static openInterest(storage: Storage, log: Log): TapeSource {
    const columns = ['ratePct', 'premiumPct', 'markPrice', 'openInterestUsdt', 'volume24hUsdt'] as const;
    return new TapeSource(OPEN_INTEREST, new TapeStore(storage, log), columns, interestValues);
  }

  async *rows({ startMs, endMs }: LakeDay): AsyncGenerator<LakeRows> {
    const [fromMinute, toMinute] = [startMs / MINUTE_MS, endMs / MINUTE_MS - 1];
    for (const contract of (await this.#store.contracts()).sort(byContract)) {
      const series = await this.#store.series(contract, fromMinute, toMinute, this.#columns);
      const rows: LakeValue[][] = [];
      for (let first = 0; first < series.minutes; first += FIVE) {
        const values = this.#values(series, first, first + FIVE - 1);
        const { coin, exchange, venueSymbol } = contract;
        if (values) rows.push([coin, exchange, venueSymbol, (fromMinute + first) * MINUTE_MS, ...values]);
      }
      if (rows.length > 0) yield rows;
    }
  }
}

function runningValues(series: TapeSeries, firstPlace: number, lastPlace: number): LakeValue[] | null {
  const rates = series.column('ratePct');
  let [last, low, high] = [-1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let place = firstPlace; place <= lastPlace; place++) {
    const rate = rates[place] as number;
    if (Number.isNaN(rate)) continue;
    [last, low, high] = [place, Math.min(low, rate), Math.max(high, rate)];
  }
  if (last < 0) return null;
  const at = (name: TapeColumn) => known(series.column(name)[last]);
  return [at('ratePct'), low, high, at('intervalHours'), at('nextFundingAtMs')];
}

function interestValues(series: TapeSeries, firstPlace: number, lastPlace: number): LakeValue[] | null {
  const five = firstPlace / FIVE;
  let last = lastPlace;
  while (last >= firstPlace && Number.isNaN(series.column('ratePct')[last])) last--;
  if (last < firstPlace) return null;
  return [
    known(series.column('openInterestUsdt')[five]),
    known(series.column('markPrice')[five]),
    known(series.column('premiumPct')[last]),
    known(series.column('volume24hUsdt')[five]),
  ];
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
