import type { Log } from '../../base/log.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { TapeSeries } from '../../history/tape/series.ts';
import { HOUR_MINUTES, TapeStore } from '../../history/tape/store.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  CONTRACT_COLUMNS,
  type LakeDay,
  type LakeRows,
  type LakeSource,
  type LakeTable,
  type LakeValue,
} from '../dataset.ts';
import { byContract } from './prints.ts';

/**
 * Minutes of a contract are in a list: 13 million rows of a day with the names of their contracts would take four times as
 * long to write.
 */
export const RUNNING: LakeTable = {
  name: 'running',
  description:
    'The running rate of every contract, which is not yet paid, by minute; a row has consecutive minutes of one hour',
  columns: [
    ...CONTRACT_COLUMNS,
    { name: 'at', type: 'time', isNullable: false, description: 'Start of the first minute of the row' },
    {
      name: 'interval_hours',
      type: 'integer',
      isNullable: true,
      description: 'Hours that the rates are for',
    },
    { name: 'next_funding_at', type: 'time', isNullable: true, description: 'When they are settled next' },
    {
      name: 'rates_pct',
      type: 'numbers',
      isNullable: false,
      description:
        'Rate of each minute from `at` on, in percent of one interval; each was known at the end of its minute',
    },
  ],
  timeColumn: 'at',
  sortedBy: ['coin', 'exchange', 'venue_symbol', 'at'],
  rowsPerGroup: 500,
};

const TAPE_COLUMNS = ['ratePct', 'intervalHours', 'nextFundingAtMs'] as const;

/** The tape of a day. It is written within the minute and never changes, so a file has its own day only. */
export class RunningSource implements LakeSource {
  readonly table = RUNNING;
  readonly #store: TapeStore;

  constructor(storage: Storage, log: Log) {
    this.#store = new TapeStore(storage, log);
  }

  async *rows({ startMs, endMs }: LakeDay): AsyncGenerator<LakeRows> {
    const [fromMinute, toMinute] = [startMs / MINUTE_MS, endMs / MINUTE_MS - 1];
    for (const contract of (await this.#store.contracts()).sort(byContract)) {
      const { coin, exchange, venueSymbol } = contract;
      const series = await this.#store.series(contract, fromMinute, toMinute, TAPE_COLUMNS);
      const rows = contractRows([coin, exchange, venueSymbol], series);
      if (rows.length > 0) yield rows;
    }
  }
}

/** A gap, a new hour, another interval and another settlement start a new row. */
function contractRows(names: readonly string[], series: TapeSeries): LakeRows {
  const [rates, hours] = [series.column('ratePct'), series.column('intervalHours')];
  const settlements = series.column('nextFundingAtMs');
  const rows: LakeValue[][] = [];
  let open: number[] = [];
  for (let i = 0; i < series.minutes; i++) {
    const rate = rates[i] as number;
    if (Number.isNaN(rate)) {
      open = [];
      continue;
    }
    const isNew =
      open.length === 0 ||
      i % HOUR_MINUTES === 0 ||
      !Object.is(hours[i], hours[i - 1]) ||
      !Object.is(settlements[i], settlements[i - 1]);
    if (isNew) {
      open = [];
      const atMs = (series.fromMinute + i) * MINUTE_MS;
      rows.push([...names, atMs, known(hours[i]), known(settlements[i]), open]);
    }
    open.push(rate);
  }
  return rows;
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
