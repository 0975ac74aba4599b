import { jsonOf, parsedOrNull } from '../../base/parsing.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { HORIZONS_DAYS } from '../../engines/forecast/model.ts';
import { type ForecastModels, parseModels } from '../../engines/forecast/models.ts';
import {
  FORECAST_CONTRACTS_TABLE,
  FORECAST_PAIRS_TABLE,
  PublishedDay,
} from '../../engines/forecast/published.ts';
import { ForecastStore } from '../../history/forecasts/store.ts';
import type { SettlementDirectory } from '../../history/settlements/directory.ts';
import type { Table } from '../../market/tables/table.ts';
import { decodeTable } from '../../market/tables/table-codec.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  KNOWN_AT,
  type LakeDay,
  type LakeRows,
  type LakeSource,
  type LakeTable,
  type LakeValue,
} from '../dataset.ts';

const text = (name: string, description: string) =>
  ({ name, type: 'text', isNullable: false, description }) as const;
const number = (name: string, description: string) =>
  ({ name, type: 'number', isNullable: true, description }) as const;

export const FORECASTS: LakeTable = {
  name: 'forecasts',
  description: 'What each pair of contracts was expected to earn in funding, as published once a day',
  columns: [
    text('coin', 'Ticker without multiplier'),
    text('long_exchange', 'Venue of the long leg'),
    text('long_venue_symbol', "The venue's own name of the long leg"),
    text('short_exchange', 'Venue of the short leg'),
    text('short_venue_symbol', "The venue's own name of the short leg"),
    { name: 'published_at', type: 'time', isNullable: false, description: 'When the forecast was published' },
    ...HORIZONS_DAYS.flatMap((days) => [
      number(`expected_${days}d_pct`, `Expected funding over ${days} days, in percent of one leg`),
      number(`low_${days}d_pct`, 'Lower end of the range that held four of five past outcomes'),
      number(`high_${days}d_pct`, 'Upper end of that range'),
    ]),
    number('cost_pct', 'Of opening and closing, in percent of one leg'),
    KNOWN_AT,
  ],
  timeColumn: 'published_at',
  sortedBy: ['coin', 'long_exchange', 'long_venue_symbol', 'short_exchange', 'short_venue_symbol'],
  rowsPerGroup: 10_000,
};

interface Leg {
  coin: string;
  exchange: string;
  venueSymbol: string;
}

/** The forecasts of a day, in the file of that day. Once all outcomes are known the pairs are no longer stored, and not written. */
export class ForecastsSource implements LakeSource {
  readonly table = FORECASTS;
  readonly #store: ForecastStore;
  readonly #directory: SettlementDirectory;

  constructor(storage: Storage, directory: SettlementDirectory) {
    this.#store = new ForecastStore(storage);
    this.#directory = directory;
  }

  async *rows({ startMs }: LakeDay): AsyncGenerator<LakeRows> {
    const stored = await this.#store.load(Math.floor(startMs / DAY_MS));
    if (!stored?.pairs) return;
    const models = parsedOrNull(parseModels, jsonOf(stored.models));
    const contracts = decodeTable(stored.contracts, FORECAST_CONTRACTS_TABLE);
    const pairs = decodeTable(stored.pairs, FORECAST_PAIRS_TABLE);
    if (models && contracts && pairs)
      yield pairRows(models, contracts, pairs, this.#legs(contracts), stored.minute * MINUTE_MS);
  }

  /** By row. A contract that is not stored with prints has its names in its key only. */
  #legs(contracts: Table): Leg[] {
    return Array.from({ length: contracts.rowCount }, (_, row) => {
      const exchange = contracts.text('exchange', row);
      const venueSymbol = contracts.text('contract', row).slice(exchange.length + 1);
      return { coin: this.#directory.find(exchange, venueSymbol)?.coin ?? '', exchange, venueSymbol };
    });
  }
}

function pairRows(
  models: ForecastModels,
  contracts: Table,
  pairs: Table,
  legs: readonly Leg[],
  publishedAtMs: number,
): LakeRows {
  const [longs, shorts] = [pairs.numbers('long'), pairs.numbers('short')];
  const costs = pairs.numbers('cost_pct');
  const published = new PublishedDay(contracts, pairs);
  const forecasts = models.pairs.map((model) => published.forecasts(model));
  const rows: LakeValue[][] = [];
  for (let row = 0; row < pairs.rowCount; row++) {
    const [at, against] = [shorts[row] as number, longs[row] as number];
    const [short, long] = [legs[at], legs[against]];
    if (!short || !long || short.coin === '') continue;
    rows.push([
      ...[short.coin, long.exchange, long.venueSymbol, short.exchange, short.venueSymbol, publishedAtMs],
      ...forecasts.flatMap(({ expected, low, high }) =>
        [expected, low, high].map((column) => numberOrNull(column[row] as number)),
      ),
      ...[numberOrNull(costs[row] as number), publishedAtMs],
    ]);
  }
  const order = (row: readonly LakeValue[]) => row.slice(0, 5).join('\n');
  const keyed = rows.map((row) => ({ row, key: order(row) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ row }) => row);
}

function numberOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
