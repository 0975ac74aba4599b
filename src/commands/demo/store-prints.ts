import { count, text, tupleOf } from '../../base/parsing.ts';
import type { Print } from '../../history/settlements/merge.ts';
import type { CollectorParts } from './collector-parts.ts';
import type { PastPrints } from './fetch-prints.ts';

const PRINT_BYTES = 12;
/** So many writes share a few transactions. */
const CONTRACTS_AT_ONCE = 200;

/**
 * Stores the prints of the last days, so that the first snapshots have sums and history serves the same prints. The backfill
 * fetches only what is older.
 */
export async function storePrints(
  { history }: CollectorParts,
  { bytes, fromMs, toMs }: PastPrints,
): Promise<void> {
  let writes: Promise<void>[] = [];
  for (const { slug, venueSymbol, prints } of pastPrints(bytes)) {
    writes.push(history.storePrints(slug, venueSymbol, prints, { fromMs, toMs }));
    if (writes.length < CONTRACTS_AT_ONCE) continue;
    await Promise.all(writes);
    writes = [];
  }
  await Promise.all(writes);
}

interface ContractPrints {
  slug: string;
  venueSymbol: string;
  prints: Print[];
}

const parseHead = tupleOf(text, text, count);

/** Parses what `sendPrints` of the simulator writes. Throws if it is malformed. */
export function* pastPrints(bytes: Buffer): Generator<ContractPrints> {
  for (let offset = 0; offset < bytes.length; ) {
    const end = offset + 4 + bytes.readUInt32LE(offset);
    const head: unknown = JSON.parse(bytes.toString('utf8', offset + 4, end));
    const [slug, venueSymbol, printCount] = parseHead(head, 'head of the prints');
    const prints: Print[] = [];
    for (offset = end; offset < end + printCount * PRINT_BYTES; offset += PRINT_BYTES)
      prints.push({ minute: bytes.readUInt32LE(offset), ratePct: bytes.readDoubleLE(offset + 4) });
    yield { slug, venueSymbol, prints };
  }
}
