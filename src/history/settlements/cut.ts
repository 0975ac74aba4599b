import { MINUTE_MS } from '../../base/times.ts';
import { blockNumberOf, settlementBlockId } from '../../storage/blocks.ts';
import type { Storage } from '../../storage/storage.ts';
import { decodeDated } from './dated-prints.ts';
import { blocksAround, mergePrints, type PackedBlock, type Print } from './merge.ts';
import { blocksByIds, type Trx, updateProgress, upsertBlocks } from './sql.ts';
import { BLOCK_MINUTES, blockOf } from './times.ts';

/** Removes a contract's prints after the given time, and everything that was derived from them. */
export async function cutContract(
  trx: Trx,
  kind: Storage['kind'],
  contractId: number,
  endMs: number,
  revision: number,
): Promise<void> {
  const row = await trx
    .selectFrom('settlement_contracts')
    .selectAll()
    .where('id', '=', contractId)
    .executeTakeFirstOrThrow();
  const endMinute = Math.floor(endMs / MINUTE_MS);
  const firstCut = blockOf(endMinute);
  const lastCut = blockOf(Math.floor(Number(row.last_print_ms ?? endMs) / MINUTE_MS));
  const cutIds = Array.from({ length: lastCut - firstCut + 1 }, (_, i) =>
    settlementBlockId(firstCut + i, contractId),
  );
  const all = await printsOf(trx, kind, cutIds);
  const left = all.filter(({ minute }) => minute <= endMinute);
  await trx.deleteFrom('settlement_blocks').where('id', 'in', cutIds).execute();
  const before = await blocksOf(trx, kind, contractId, [...blocksAround(left), firstCut - 1]);
  // Merging what is left into the blocks before it computes day sums and intervals anew.
  const { blocks } = mergePrints(before, left, 'replace', Number.NaN);
  await upsertBlocks(
    trx,
    kind,
    [...blocks].map(([number, block]) => ({ id: settlementBlockId(number, contractId), ...block })),
  );
  const earlier = await printsOf(trx, kind, [settlementBlockId(firstCut - 1, contractId)]);
  const lastLeft = left.at(-1) ?? earlier.at(-1);
  await updateProgress(trx, kind, [
    {
      ...row,
      last_print_ms: lastLeft ? lastLeft.minute * MINUTE_MS : null,
      print_count: Number(row.print_count) - (all.length - left.length),
      walked_to_ms: row.walked_to_ms === null ? null : Math.min(Number(row.walked_to_ms), endMs),
      revision,
    },
  ]);
  await trx
    .deleteFrom('settlement_gaps')
    .where('contract_id', '=', contractId)
    .where('before_minute', '>', endMinute)
    .execute();
  await trx
    .deleteFrom('settlement_corrections')
    .where('contract_id', '=', contractId)
    .where('minute', '>', endMinute)
    .execute();
}

async function blocksOf(
  trx: Trx,
  kind: Storage['kind'],
  contractId: number,
  numbers: readonly number[],
): Promise<Map<number, PackedBlock>> {
  const ids = [...new Set(numbers)].map((number) => settlementBlockId(number, contractId));
  const rows = await blocksByIds(trx, kind, ids);
  return new Map(rows.map(({ id, ...block }) => [blockNumberOf(id), block]));
}

async function printsOf(trx: Trx, kind: Storage['kind'], ids: readonly number[]): Promise<Print[]> {
  const rows = await blocksByIds(trx, kind, [...ids]);
  return rows
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ id, prints, known }) => {
      const { minutes, ratesPct, knownSeconds } = decodeDated(
        prints,
        known,
        blockNumberOf(id) * BLOCK_MINUTES,
      );
      return minutes.map((minute, i) => ({
        minute,
        ratePct: ratesPct[i] ?? 0,
        knownSeconds: knownSeconds[i] ?? Number.NaN,
      }));
    });
}
