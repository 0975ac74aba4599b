import { inParts } from '../../base/async/in-parts.ts';
import { checkFence, type Fence } from '../../storage/fences.ts';
import type {} from '../../storage/migrations/0140-tape.ts';
import type { Storage } from '../../storage/storage.ts';

/** At the first start all contracts are new. */
const STORED_AT_ONCE = 200;

/** A contract as a snapshot names it. */
export interface TapeNames {
  exchange: string;
  venueSymbol: string;
  symbol: string;
  coin: string;
}

export interface TapeContract extends TapeNames {
  id: number;
}

/** All contracts of the tape, by venue and then by the venue's spelling. */
export async function tapeContracts(db: Storage['db']): Promise<TapeContract[]> {
  const rows = await db
    .selectFrom('tape_contracts')
    .selectAll()
    .orderBy('exchange')
    .orderBy('venue_symbol')
    .execute();
  return rows.map(({ venue_symbol, ...row }) => ({ ...row, venueSymbol: venue_symbol }));
}

/** Numbers the contracts for the one process that writes. */
export class TapeNumbers {
  readonly #db: Storage['db'];
  #known: Map<string, TapeContract> | null = null;

  constructor(db: Storage['db']) {
    this.#db = db;
  }

  /** The numbers of the contracts; new ones and changed names are stored. */
  async idsOf(names: readonly TapeNames[], fence: Fence | null): Promise<number[]> {
    let known = this.#known ?? (await this.#load());
    const isKnown = (name: TapeNames) => {
      const held = known.get(keyOf(name));
      return held?.symbol === name.symbol && held.coin === name.coin;
    };
    const changed = names.filter((name) => !isKnown(name));
    if (changed.length > 0) {
      // If storing fails, it is not known what was stored.
      this.#known = null;
      await this.#store(changed, known, fence);
      known = await this.#load();
    }
    return names.map((name) => known.get(keyOf(name))?.id ?? 0);
  }

  async #load(): Promise<Map<string, TapeContract>> {
    this.#known = new Map((await tapeContracts(this.#db)).map((contract) => [keyOf(contract), contract]));
    return this.#known;
  }

  async #store(
    changed: readonly TapeNames[],
    known: ReadonlyMap<string, TapeContract>,
    fence: Fence | null,
  ): Promise<void> {
    let lastId = [...known.values()].reduce((last, { id }) => Math.max(last, id), 0);
    for await (const part of inParts(changed, STORED_AT_ONCE)) {
      const rows = part.map((name) => {
        const { exchange, venueSymbol, symbol, coin } = name;
        return {
          ...{ id: known.get(keyOf(name))?.id ?? ++lastId, exchange, venue_symbol: venueSymbol },
          ...{ symbol, coin },
        };
      });
      await this.#db.transaction().execute(async (trx) => {
        if (fence) await checkFence(trx, fence);
        await trx
          .insertInto('tape_contracts')
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(['exchange', 'venue_symbol']).doUpdateSet((excluded) => ({
              symbol: excluded.ref('excluded.symbol'),
              coin: excluded.ref('excluded.coin'),
            })),
          )
          .execute();
      });
    }
  }
}

function keyOf({ exchange, venueSymbol }: TapeNames): string {
  return `${exchange}/${venueSymbol}`;
}
