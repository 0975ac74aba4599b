import type { SettlementContractsTable } from '../../storage/migrations/0015-settlements.ts';

/** A contract by its names. */
export interface ContractNames {
  exchange: string;
  venueSymbol: string;
  /** BASE-QUOTE with the contract's own base. */
  symbol: string;
  coin: string;
  isInverse: boolean;
  listedAtMs: number | null;
}

/** A contract with what we hold of it. Never changed: a newer one takes its place. */
export interface HeldContract extends ContractNames {
  readonly id: number;
  /** The stretch for which the venue has told all it knows. */
  readonly walkedFromMs: number | null;
  readonly walkedToMs: number | null;
  readonly heldSinceMs: number | null;
  readonly lastPrintMs: number | null;
  readonly printCount: number;
  readonly revision: number;
}

export function keyOf(exchange: string, venueSymbol: string): string {
  return `${exchange}/${venueSymbol}`;
}

export function heldContract(row: SettlementContractsTable): HeldContract {
  return Object.freeze({
    id: row.id,
    exchange: row.exchange,
    venueSymbol: row.venue_symbol,
    symbol: row.symbol,
    coin: row.coin,
    isInverse: row.is_inverse === 1,
    listedAtMs: row.listed_at_ms,
    walkedFromMs: row.walked_from_ms,
    walkedToMs: row.walked_to_ms,
    heldSinceMs: row.held_since_ms,
    lastPrintMs: row.last_print_ms,
    printCount: row.print_count,
    revision: row.revision,
  });
}

/** Every contract that the store knows, in memory: which prints to read is decided without asking the database. */
export class SettlementDirectory {
  readonly #byKey = new Map<string, HeldContract>();
  readonly #byCoin = new Map<string, Map<number, HeldContract>>();
  readonly #revisions = new Map<number, number>();
  #revision = 0;

  /** Of the newest change seen. */
  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** The newest change of a contract that we know of; 0 when we know none. */
  revisionOf(contractId: number): number {
    return this.#revisions.get(contractId) ?? 0;
  }

  find(exchange: string, venueSymbol: string): HeldContract | undefined {
    return this.#byKey.get(keyOf(exchange, venueSymbol));
  }

  ofCoin(coin: string): HeldContract[] {
    return [...(this.#byCoin.get(coin)?.values() ?? [])];
  }

  /** Coins of which any print is held. */
  coins(): string[] {
    return [...this.#byCoin.keys()];
  }

  all(): HeldContract[] {
    return [...this.#byKey.values()];
  }

  take(contract: HeldContract): void {
    const key = keyOf(contract.exchange, contract.venueSymbol);
    const before = this.#byKey.get(key);
    if (before && before.revision >= contract.revision) return;
    if (before && before.coin !== contract.coin) {
      const former = this.#byCoin.get(before.coin);
      former?.delete(before.id);
      if (former?.size === 0) this.#byCoin.delete(before.coin);
    }
    this.#byKey.set(key, contract);
    this.#revisions.set(contract.id, contract.revision);
    let same = this.#byCoin.get(contract.coin);
    if (!same) {
      same = new Map();
      this.#byCoin.set(contract.coin, same);
    }
    same.set(contract.id, contract);
    this.#revision = Math.max(this.#revision, contract.revision);
  }
}
