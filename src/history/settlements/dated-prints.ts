import { blockNumberOf, settlementBlockId } from '../../storage/blocks.ts';
import type {} from '../../storage/migrations/0141-print-known-times.ts';
import type { Storage } from '../../storage/storage.ts';
import { decodePrints } from './codec.ts';
import { decodeKnown } from './known-codec.ts';
import { BLOCK_MINUTES, blockOf, noPrints, type Prints } from './times.ts';

/** Prints with the times at which they were learned, in seconds since 1970; NaN is unknown. */
export interface DatedPrints extends Prints {
  knownSeconds: number[];
}

export function decodeDated(
  prints: Uint8Array,
  known: Uint8Array | null | undefined,
  startMinute: number,
): DatedPrints {
  const decoded = noPrints();
  decodePrints(prints, startMinute, decoded);
  return { ...decoded, knownSeconds: decodeKnown(known, decoded.minutes, startMinute) };
}

/** When each print of a contract from one minute to another, both included, was learned; by the minute of the print. */
export async function knownTimes(
  { db }: Pick<Storage, 'db'>,
  contractId: number,
  fromMinute: number,
  toMinute: number,
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('settlement_blocks')
    .select(['id', 'prints', 'known'])
    .where(
      'id',
      'in',
      Array.from({ length: blockOf(toMinute) - blockOf(fromMinute) + 1 }, (_, i) =>
        settlementBlockId(blockOf(fromMinute) + i, contractId),
      ),
    )
    .execute();
  const times = new Map<number, number>();
  for (const { id, prints, known } of rows) {
    const dated = decodeDated(prints, known, blockNumberOf(id) * BLOCK_MINUTES);
    for (const [i, minute] of dated.minutes.entries()) {
      const seconds = dated.knownSeconds[i] as number;
      if (minute >= fromMinute && minute <= toMinute && !Number.isNaN(seconds)) times.set(minute, seconds);
    }
  }
  return times;
}
