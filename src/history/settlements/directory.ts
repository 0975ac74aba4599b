import '../../storage/migrations/0116-contract-volumes.ts';
import type { SettlementContractsTable } from '../../storage/migrations/0015-settlements.ts';

export interface ContractNames {
  exchange: string;
  venueSymbol: string;
  /** BASE-QUOTE with the contract's own base. */
  symbol: string;
  coin: string;
  isInverse: boolean;
  listedAtMs: number | null;
  /** Turnover of 24 hours, where it is known; stored with the next prints. */
  volume24hUsdt?: number | null;
}

/** A contract and which of its prints are stored. Immutable: a change replaces the object. */
export interface HeldContract extends ContractNames {
  readonly id: number;
  /** The range for which every print that the venue has was fetched. */
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
    volume24hUsdt: row.volume_24h_usdt,
    walkedFromMs: row.walked_from_ms,
    walkedToMs: row.walked_to_ms,
    heldSinceMs: row.held_since_ms,
    lastPrintMs: row.last_print_ms,
    printCount: row.print_count,
    revision: row.revision,
  });
}

/** Every stored contract, in memory, so that requests find their contracts without a database query. */
export class SettlementDirectory {
  readonly #byKey = new Map<string, HeldContract>();
  readonly #byCoin = new Map<string, Map<number, HeldContract>>();
  readonly #revisions = new Map<number, number>();
  #revision = 0;

  /** The newest revision seen. */
  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** The contract's newest known revision; 0 when the contract is unknown. */
  revisionOf(contractId: number): number {
    return this.#revisions.get(contractId) ?? 0;
  }

  find(exchange: string, venueSymbol: string): HeldContract | undefined {
    return this.#byKey.get(keyOf(exchange, venueSymbol));
  }

  ofCoin(coin: string): HeldContract[] {
    return [...(this.#byCoin.get(coin)?.values() ?? [])];
  }

  /** Coins with at least one stored contract. */
  coins(): string[] {
    return [...this.#byCoin.keys()];
  }

  all(): HeldContract[] {
    return [...this.#byKey.values()];
  }

  /** Adds or replaces a contract. An older revision is ignored; writes of one transaction share theirs. */
  put(contract: HeldContract): void {
    const key = keyOf(contract.exchange, contract.venueSymbol);
    const before = this.#byKey.get(key);
    if (before && before.revision > contract.revision) return;
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
