import type { Log } from '../../base/log.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { FIVE } from '../../history/tape/series.ts';
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

const number = (name: string, description: string): LakeColumn => ({
  ...{ name, type: 'number', isNullable: true, description },
});

export const OPEN_INTEREST: LakeTable = {
  name: 'open_interest',
  description: 'Open interest, mark price, premium and volume of every contract, every five minutes',
  columns: [
    ...CONTRACT_COLUMNS,
    {
      name: 'at',
      type: 'time',
      isNullable: false,
      description: 'Start of five minutes; the values were known at their end',
    },
    number('open_interest_usdt', 'Open interest in USDT; null if the venue does not give it'),
    number('mark_price', 'Mark price'),
    number('premium_pct', 'Mark price against index price, in percent'),
    number('volume_24h_usdt', 'Turnover of 24 hours in USDT'),
  ],
  timeColumn: 'at',
  sortedBy: ['coin', 'exchange', 'venue_symbol', 'at'],
  rowsPerGroup: 20_000,
};

const TAPE_COLUMNS = ['ratePct', 'premiumPct', 'markPrice', 'openInterestUsdt', 'volume24hUsdt'] as const;

/** The tape of a day. It is written within the minute and never changes, so a file has its own day only. */
export class OpenInterestSource implements LakeSource {
  readonly table = OPEN_INTEREST;
  readonly #store: TapeStore;

  constructor(storage: Storage, log: Log) {
    this.#store = new TapeStore(storage, log);
  }

  async *rows({ startMs, endMs }: LakeDay): AsyncGenerator<LakeRows> {
    const [fromMinute, toMinute] = [startMs / MINUTE_MS, endMs / MINUTE_MS - 1];
    for (const contract of (await this.#store.contracts()).sort(byContract)) {
      const { coin, exchange, venueSymbol } = contract;
      const series = await this.#store.series(contract, fromMinute, toMinute, TAPE_COLUMNS);
      const [rates, premiums] = [series.column('ratePct'), series.column('premiumPct')];
      const [interests, marks] = [series.column('openInterestUsdt'), series.column('markPrice')];
      const volumes = series.column('volume24hUsdt');
      const rows: LakeValue[][] = [];
      for (let first = 0; first < series.minutes; first += FIVE) {
        let last = first + FIVE - 1;
        while (last >= first && Number.isNaN(rates[last])) last--;
        if (last < first) continue;
        const five = first / FIVE;
        rows.push([
          ...[coin, exchange, venueSymbol, startMs + first * MINUTE_MS],
          ...[known(interests[five]), known(marks[five]), known(premiums[last]), known(volumes[five])],
        ]);
      }
      if (rows.length > 0) yield rows;
    }
  }
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
