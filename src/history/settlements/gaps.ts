import { MINUTE_MS } from '../../base/times.ts';
import type { SettlementGapsTable } from '../../storage/migrations/0015-settlements.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Gap, Merged } from './merge.ts';
import { gapsOfContracts, type Trx } from './sql.ts';

/** Missing prints that are to be requested from the venue. */
export interface QueuedGap extends Gap {
  contractId: number;
  tries: number;
}

const FIRST_TRY_AFTER_MS = MINUTE_MS;
const RETRY_AFTER_MS = 10 * MINUTE_MS;
/** The delay grows fourfold each time: after seven tries, about two weeks, the venue is assumed not to have them. */
const RETRY_FACTOR = 4;
const MOST_TRIES = 7;

/** Queues the gaps that a write has revealed and deletes those that it has filled, in the write's transaction. */
export async function syncGaps(
  trx: Trx,
  kind: Storage['kind'],
  outcomes: readonly (Pick<Merged, 'gaps' | 'checked'> & { contract: { id: number } })[],
  nowMs: number,
): Promise<void> {
  const changed = outcomes.filter((outcome) => outcome.checked !== null);
  const known = new Map<number, SettlementGapsTable[]>();
  const ids = [...new Set(changed.map((outcome) => outcome.contract.id))];
  for (const row of ids.length === 0 ? [] : await gapsOfContracts(trx, kind, ids))
    known.set(row.contract_id, [...(known.get(row.contract_id) ?? []), row]);
  for (const { contract, gaps, checked } of changed) {
    const queued = known.get(contract.id) ?? [];
    if (!checked || (queued.length === 0 && gaps.length === 0)) continue;
    const isFilled = (row: SettlementGapsTable) =>
      row.before_minute >= checked.fromMinute &&
      row.after_minute <= checked.toMinute &&
      !gaps.some((gap) => isSame(gap, row));
    for (const row of queued.filter(isFilled)) await deleteGap(trx, row);
    const added = gaps
      .filter((gap) => !queued.some((row) => isSame(gap, row)))
      .map((gap) => ({
        contract_id: contract.id,
        after_minute: gap.afterMinute,
        before_minute: gap.beforeMinute,
        tries: 0,
        next_try_at_ms: nowMs + FIRST_TRY_AFTER_MS,
      }));
    // One transaction may write a contract several times; the next write needs the gaps that this one leaves.
    known.set(contract.id, [...queued.filter((row) => !isFilled(row)), ...added]);
    if (added.length > 0) await trx.insertInto('settlement_gaps').values(added).execute();
  }
}

function isSame(gap: Gap, row: SettlementGapsTable): boolean {
  return gap.afterMinute === row.after_minute && gap.beforeMinute === row.before_minute;
}

async function deleteGap(trx: Trx, row: SettlementGapsTable): Promise<void> {
  await trx
    .deleteFrom('settlement_gaps')
    .where('contract_id', '=', row.contract_id)
    .where('after_minute', '=', row.after_minute)
    .execute();
}

export class GapQueue {
  readonly #db: Storage['db'];

  constructor({ db }: Storage) {
    this.#db = db;
  }

  /** Gaps that are due, the longest overdue first. */
  async due(nowMs: number): Promise<QueuedGap[]> {
    const rows = await this.#db
      .selectFrom('settlement_gaps')
      .selectAll()
      .where('next_try_at_ms', '<=', nowMs)
      .orderBy('next_try_at_ms')
      .execute();
    return rows.map((row) => ({
      contractId: row.contract_id,
      afterMinute: row.after_minute,
      beforeMinute: row.before_minute,
      tries: row.tries,
    }));
  }

  /** Counts a try. A gap that is still open is tried again later, up to MOST_TRIES times. */
  async countTry(gap: QueuedGap, nowMs: number): Promise<void> {
    const tries = gap.tries + 1;
    await this.#db
      .updateTable('settlement_gaps')
      .set({
        tries,
        next_try_at_ms: tries >= MOST_TRIES ? null : nowMs + RETRY_AFTER_MS * RETRY_FACTOR ** gap.tries,
      })
      .where('contract_id', '=', gap.contractId)
      .where('after_minute', '=', gap.afterMinute)
      .execute();
  }

  /** Open gaps by venue, including those that are no longer retried. */
  async countByExchange(): Promise<Map<string, number>> {
    const rows = await this.#db
      .selectFrom('settlement_gaps')
      .innerJoin('settlement_contracts', 'settlement_contracts.id', 'settlement_gaps.contract_id')
      .select((select) => ['exchange', select.fn.countAll<number>().as('gaps')])
      .groupBy('exchange')
      .execute();
    return new Map(rows.map(({ exchange, gaps }) => [exchange, Number(gaps)]));
  }
}
