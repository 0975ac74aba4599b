import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { knownTimes } from '../../history/settlements/dated-prints.ts';
import type { HeldContract } from '../../history/settlements/directory.ts';
import type { SettlementKeeper } from '../../history/settlements/keeper.ts';
import { intervalHours } from '../../history/settlements/times.ts';
import type {} from '../../storage/migrations/0015-settlements.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  COIN,
  EXCHANGE,
  isOfDay,
  KNOWN_AT,
  type LakeDay,
  type LakeRows,
  type LakeSource,
  type LakeTable,
  type LakeValue,
  VENUE_SYMBOL,
} from '../dataset.ts';

/** What readers take most often comes first and together, so that they fetch it in one piece. */
export const PRINTS: LakeTable = {
  name: 'prints',
  description: 'Settled funding payments',
  columns: [
    COIN,
    EXCHANGE,
    { name: 'settled_at', type: 'time', isNullable: false, description: 'Scheduled time of the settlement' },
    {
      name: 'rate_pct',
      type: 'number',
      isNullable: false,
      description: 'Settled rate in percent; positive: longs pay',
    },
    VENUE_SYMBOL,
    { name: 'symbol', type: 'text', isNullable: false, description: 'Contract symbol BASE-QUOTE' },
    { name: 'is_inverse', type: 'flag', isNullable: false, description: 'Margined in the coin itself' },
    {
      name: 'interval_hours',
      type: 'integer',
      isNullable: true,
      description: 'Hours that the payment is for; null if unknown',
    },
    KNOWN_AT,
  ],
  timeColumn: 'settled_at',
  sortedBy: ['coin', 'exchange', 'venue_symbol', 'settled_at'],
  rowsPerGroup: 2_400,
};

/** The prints of a day, and those of earlier days that were learned or corrected since the file before. */
export class PrintsSource implements LakeSource {
  readonly table = PRINTS;
  readonly #storage: Storage;
  readonly #keeper: SettlementKeeper;

  constructor(storage: Storage, keeper: SettlementKeeper) {
    this.#storage = storage;
    this.#keeper = keeper;
  }

  async *rows(day: LakeDay): AsyncGenerator<LakeRows> {
    const corrected = await this.#corrections(day.knownToMs);
    for (const contract of this.#keeper.directory.all().sort(byContract)) {
      const firstMs = Math.max(earliestMs(day), contract.heldSinceMs ?? Number.POSITIVE_INFINITY);
      const lastMs = Math.min(day.endMs - MINUTE_MS, contract.lastPrintMs ?? 0);
      if (firstMs > lastMs) continue;
      const rows = await this.#contractRows(contract, firstMs, lastMs, day, corrected.get(contract.id));
      if (rows.length > 0) yield rows;
    }
  }

  async #contractRows(
    contract: HeldContract,
    firstMs: number,
    lastMs: number,
    day: LakeDay,
    correctedAtMs: ReadonlyMap<number, number> | undefined,
  ): Promise<LakeRows> {
    const { coin, exchange, venueSymbol, symbol, isInverse } = contract;
    const { minutes, ratesPct, intervalMinutes } = await this.#keeper.prints(contract, firstMs, lastMs);
    const [firstMinute, lastMinute] = [firstMs / MINUTE_MS, lastMs / MINUTE_MS];
    const known = await knownTimes(this.#storage, contract.id, firstMinute, lastMinute);
    const rows: LakeValue[][] = [];
    for (const [i, minute] of minutes.entries()) {
      const knownSeconds = known.get(minute);
      const learnedAtMs = knownSeconds === undefined ? null : knownSeconds * SECOND_MS;
      const knownAtMs = correctedAtMs?.get(minute) ?? learnedAtMs;
      if (!isOfDay(day, minute * MINUTE_MS, knownAtMs)) continue;
      const hours = intervalHours(intervalMinutes[i] ?? 0);
      rows.push([
        ...[coin, exchange, minute * MINUTE_MS, ratesPct[i] ?? 0],
        ...[venueSymbol, symbol, isInverse, hours, knownAtMs],
      ]);
    }
    return rows;
  }

  /** When prints were corrected last, by contract and minute. A later correction is in a later file, with its rate. */
  async #corrections(knownToMs: number): Promise<Map<number, Map<number, number>>> {
    const rows = await this.#storage.db
      .selectFrom('settlement_corrections')
      .select(['contract_id', 'minute', 'seen_at_ms'])
      .where('seen_at_ms', '<=', knownToMs)
      .orderBy('seen_at_ms')
      .execute();
    const corrected = new Map<number, Map<number, number>>();
    for (const { contract_id, minute, seen_at_ms } of rows) {
      const own = corrected.get(contract_id) ?? new Map<number, number>();
      corrected.set(contract_id, own.set(minute, seen_at_ms));
    }
    return corrected;
  }
}

/**
 * Where the rows of a file can start. Files of one run have one time up to which things are known, so only the first of
 * them has rows of earlier days.
 */
function earliestMs({ previous, knownToMs }: LakeDay): number {
  return previous?.knownToMs === knownToMs ? previous.endMs : 0;
}

/** In the order of code points, as readers of Parquet compare texts. */
export function byContract(
  a: Pick<HeldContract, 'coin' | 'exchange' | 'venueSymbol'>,
  b: Pick<HeldContract, 'coin' | 'exchange' | 'venueSymbol'>,
): number {
  return (
    compared(a.coin, b.coin) || compared(a.exchange, b.exchange) || compared(a.venueSymbol, b.venueSymbol)
  );
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
