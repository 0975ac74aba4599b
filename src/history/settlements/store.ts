import { sql } from 'kysely';
import { MINUTE_MS } from '../../base/times.ts';
import { blockNumberOf, contractIdOf, settlementBlockId } from '../../storage/blocks.ts';
import { PartitionKeeper, SETTLEMENT_PARTITIONS } from '../../storage/partitions.ts';
import type { Storage } from '../../storage/storage.ts';
import { endedAtMsOf } from '../../venues/registry.ts';
import { cutContract } from './cut.ts';
import { type ContractNames, type HeldContract, heldContract } from './directory.ts';
import { syncGaps } from './gaps.ts';
import { knownSeconds } from './known-codec.ts';
import {
  blocksAround,
  type Merged,
  mergePrints,
  type OnConflict,
  type PackedBlock,
  type Print,
} from './merge.ts';
import { contractRows, inParts, nextRevision, ROWS_PER_STATEMENT, saveNames, updateRow } from './rows.ts';
import { blocksByIds, type ContractRow, type Trx, updateProgress, upsertBlocks } from './sql.ts';

export interface SettlementWrite {
  names: ContractNames;
  prints: readonly Print[];
  /** The range in which these are all prints of the venue; null when some may be missing. */
  walked: { fromMs: number; toMs: number } | null;
  onConflict: OnConflict;
}

export interface WriteOutcome extends Omit<Merged, 'blocks'> {
  contract: HeldContract;
}

interface BlockRow extends PackedBlock {
  id: number;
}

/** Advisory lock, the same in every process: it serializes writers, so none overwrites another's merge. */
const WRITER_LOCK = 7_276_815;

/** Prints in the database. Each call is one transaction: after a kill all of it is stored, or nothing. */
export class SettlementStore {
  readonly #storage: Storage;
  readonly #partitions: PartitionKeeper;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#partitions = new PartitionKeeper(storage, SETTLEMENT_PARTITIONS);
  }

  /** Contracts that have changed since the revision. */
  async contractsSince(revision: number): Promise<HeldContract[]> {
    const rows = await this.#storage.db
      .selectFrom('settlement_contracts')
      .selectAll()
      .where('revision', '>', revision)
      .execute();
    return rows.map(heldContract);
  }

  /** All blocks with this number or a higher one. */
  async blocksFrom(block: number): Promise<BlockRow[]> {
    return await this.#storage.db
      .selectFrom('settlement_blocks')
      .select(['id', 'days', 'prints'])
      .where('id', '>=', settlementBlockId(block, 0))
      .execute();
  }

  /** Stores the names of new contracts, and of those whose coin or base has been corrected. */
  async saveNames(names: readonly ContractNames[]): Promise<HeldContract[]> {
    const { kind } = this.#storage;
    return await this.#transaction(async (trx) => {
      const rows = await contractRows(trx, kind, names, await nextRevision(trx));
      const saved: HeldContract[] = [];
      for (const [i, row] of rows.entries()) {
        const name = names[i];
        if (name) saved.push(heldContract(await saveNames(trx, row, name)));
      }
      return saved;
    });
  }

  async write(given: readonly SettlementWrite[], nowMs: number): Promise<WriteOutcome[]> {
    const { kind } = this.#storage;
    const writes = given.map(withinLife);
    const nowSeconds = knownSeconds(nowMs);
    const blocks = new Set(writes.flatMap((write) => [...blocksAround(write.prints)]));
    await this.#partitions.cover([...blocks].map((block) => settlementBlockId(block, 0)));
    return await this.#transaction(async (trx) => {
      const names = writes.map((write) => write.names);
      const rows = await contractRows(trx, kind, names, await nextRevision(trx));
      const held = await heldBlocks(trx, kind, writes, rows);
      const changed = new Map<number, BlockRow>();
      const outcomes = writes.map((write, i): WriteOutcome => {
        const row = rows[i];
        if (!row) throw new Error(`contract ${write.names.venueSymbol} has no row`);
        const own = held.get(row.id) ?? new Map<number, PackedBlock>();
        held.set(row.id, own);
        const { blocks, ...merged } = mergePrints(own, write.prints, write.onConflict, nowSeconds);
        for (const [number, block] of blocks) {
          own.set(number, block);
          const id = settlementBlockId(number, row.id);
          changed.set(id, { id, ...block });
        }
        updateRow(row, write.names, merged, write.walked);
        return { contract: heldContract(row), ...merged };
      });
      await upsertBlocks(trx, kind, [...changed.values()]);
      await updateProgress(trx, kind, [...new Map(rows.map((row) => [row.id, row])).values()]);
      await saveCorrections(trx, outcomes, writes, nowMs);
      await syncGaps(trx, kind, outcomes, nowMs);
      return outcomes;
    });
  }

  /** Removes the prints that a venue wrote after its end. Does nothing if there are none. */
  async cutAfterEnd(exchange: string, endedAtMs: number): Promise<void> {
    const { kind } = this.#storage;
    const late = await this.#storage.db
      .selectFrom('settlement_contracts')
      .select('id')
      .where('exchange', '=', exchange)
      .where('last_print_ms', '>', endedAtMs)
      .execute();
    if (late.length === 0) return;
    await this.#transaction(async (trx) => {
      const revision = await nextRevision(trx);
      for (const { id } of late) await cutContract(trx, kind, id, endedAtMs, revision);
    });
  }

  async #transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    return await this.#storage.db.transaction().execute(async (trx) => {
      if (this.#storage.kind === 'postgres')
        await sql`select pg_advisory_xact_lock(${WRITER_LOCK})`.execute(trx);
      return await work(trx);
    });
  }
}

/** Prints after the end of a venue are not payments of anybody. */
function withinLife(write: SettlementWrite): SettlementWrite {
  const endedAtMs = endedAtMsOf(write.names.exchange);
  if (endedAtMs === null) return write;
  const { prints, walked } = write;
  return {
    ...write,
    prints: prints.filter(({ minute }) => minute * MINUTE_MS <= endedAtMs),
    walked: walked && {
      fromMs: Math.min(walked.fromMs, endedAtMs),
      toMs: Math.min(walked.toMs, endedAtMs),
    },
  };
}

async function heldBlocks(
  trx: Trx,
  kind: Storage['kind'],
  writes: readonly SettlementWrite[],
  rows: readonly ContractRow[],
): Promise<Map<number, Map<number, PackedBlock>>> {
  const ids = new Set<number>();
  for (const [i, write] of writes.entries()) {
    for (const block of blocksAround(write.prints)) ids.add(settlementBlockId(block, rows[i]?.id ?? 0));
  }
  const held = new Map<number, Map<number, PackedBlock>>();
  for (const { id, ...block } of await blocksByIds(trx, kind, [...ids])) {
    const own = held.get(contractIdOf(id)) ?? new Map<number, PackedBlock>();
    own.set(blockNumberOf(id), block);
    held.set(contractIdOf(id), own);
  }
  return held;
}

async function saveCorrections(
  trx: Trx,
  outcomes: readonly WriteOutcome[],
  writes: readonly SettlementWrite[],
  nowMs: number,
): Promise<void> {
  const rows = outcomes.flatMap(({ contract, corrections }, i) =>
    writes[i]?.onConflict === 'keep'
      ? []
      : corrections.map((correction) => ({
          contract_id: contract.id,
          minute: correction.minute,
          old_rate_pct: correction.oldRatePct,
          new_rate_pct: correction.newRatePct,
          seen_at_ms: nowMs,
        })),
  );
  for (const some of inParts(rows, ROWS_PER_STATEMENT))
    await trx.insertInto('settlement_corrections').values(some).execute();
}
