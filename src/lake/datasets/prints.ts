import { MINUTE_MS } from '../../base/times.ts';
import type { HeldContract } from '../../history/settlements/directory.ts';
import type { SettlementKeeper } from '../../history/settlements/keeper.ts';
import { intervalHours } from '../../history/settlements/times.ts';
import type {} from '../../storage/migrations/0015-settlements.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  CONTRACT_COLUMNS,
  isOfDay,
  KNOWN_AT,
  type LakeDay,
  type LakeRows,
  type LakeSource,
  type LakeTable,
  type LakeValue,
} from '../dataset.ts';

export const PRINTS: LakeTable = {
  name: 'prints',
  description: 'Settled funding payments',
  columns: [
    ...CONTRACT_COLUMNS,
    { name: 'symbol', type: 'text', isNullable: false, description: 'Contract symbol BASE-QUOTE' },
    { name: 'is_inverse', type: 'flag', isNullable: false, description: 'Margined in the coin itself' },
    { name: 'settled_at', type: 'time', isNullable: false, description: 'Scheduled time of the settlement' },
    {
      name: 'rate_pct',
      type: 'number',
      isNullable: false,
      description: 'Settled rate in percent; positive: longs pay',
    },
    {
      name: 'interval_hours',
      type: 'integer',
      isNullable: true,
      description: 'Hours that the payment is for; null if unknown',
    },
    KNOWN_AT,
  ],
  sortedBy: ['coin', 'exchange', 'venue_symbol', 'settled_at'],
  rowsPerGroup: 3_000,
};

interface Correction {
  minute: number;
  seenAtMs: number;
}

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
      const corrections = corrected.get(contract.id) ?? [];
      const firstMs = Math.max(
        earliestMs(day, corrections),
        contract.heldSinceMs ?? Number.POSITIVE_INFINITY,
      );
      const lastMs = Math.min(day.endMs - MINUTE_MS, contract.lastPrintMs ?? 0);
      if (firstMs > lastMs) continue;
      const rows = await this.#contractRows(contract, firstMs, lastMs, day, corrections);
      if (rows.length > 0) yield rows;
    }
  }

  async #contractRows(
    contract: HeldContract,
    firstMs: number,
    lastMs: number,
    day: LakeDay,
    corrections: readonly Correction[],
  ): Promise<LakeRows> {
    const { coin, exchange, venueSymbol, symbol, isInverse } = contract;
    const names = [coin, exchange, venueSymbol, symbol, isInverse];
    const correctedAtMs = new Map(corrections.map(({ minute, seenAtMs }) => [minute, seenAtMs]));
    const { minutes, ratesPct, intervalMinutes } = await this.#keeper.prints(contract, firstMs, lastMs);
    const rows: LakeValue[][] = [];
    for (const [i, minute] of minutes.entries()) {
      const knownAtMs = correctedAtMs.get(minute) ?? null;
      if (!isOfDay(day, minute * MINUTE_MS, knownAtMs)) continue;
      const hours = intervalHours(intervalMinutes[i] ?? 0);
      rows.push([...names, minute * MINUTE_MS, ratesPct[i] ?? 0, hours, knownAtMs]);
    }
    return rows;
  }

  /** When the rates of prints were corrected last, by contract. A later correction is in a later file, with its rate. */
  async #corrections(knownToMs: number): Promise<Map<number, Correction[]>> {
    const rows = await this.#storage.db
      .selectFrom('settlement_corrections')
      .select(['contract_id', 'minute', 'seen_at_ms'])
      .where('seen_at_ms', '<=', knownToMs)
      .orderBy('seen_at_ms')
      .execute();
    const byContract = new Map<number, Correction[]>();
    for (const { contract_id, minute, seen_at_ms } of rows) {
      const own = byContract.get(contract_id) ?? [];
      own.push({ minute, seenAtMs: seen_at_ms });
      byContract.set(contract_id, own);
    }
    return byContract;
  }
}

/** Where the rows of a file can start: with its day, or with what was corrected since the file before. */
function earliestMs({ previous }: LakeDay, corrections: readonly Correction[]): number {
  if (previous === null) return 0;
  const since = corrections.filter(({ seenAtMs }) => seenAtMs > previous.knownToMs);
  return Math.min(previous.endMs, ...since.map(({ minute }) => minute * MINUTE_MS));
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
