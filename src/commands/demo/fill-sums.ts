import { nextTurn } from '../../base/async/next-turn.ts';
import { keyOf } from '../../history/settlements/directory.ts';
import type { Print } from '../../history/settlements/merge.ts';
import type { Service } from '../../wiring/service.ts';

const PRINT_BYTES = 12;
const CONTRACTS_PER_TURN = 20;

/**
 * Gives the rolling sums these prints, so that the first snapshots have sums. The backfill fetches the same prints from
 * each venue and stores them, which takes minutes.
 */
export async function fillSums({ context, history }: Service, fetched: Buffer): Promise<void> {
  const exchanges = new Map(context.venues.map(({ slug, facts }) => [slug, facts.exchange]));
  let count = 0;
  for (const { slug, venueSymbol, prints } of pastPrints(fetched)) {
    const exchange = exchanges.get(slug);
    if (exchange !== undefined) history.keeper.sums.put(keyOf(exchange, venueSymbol), prints);
    // A second start of the demo serves requests meanwhile.
    if (++count % CONTRACTS_PER_TURN === 0) await nextTurn();
  }
}

interface ContractPrints {
  slug: string;
  venueSymbol: string;
  prints: Print[];
}

/** Parses what `sendPrints` of the simulator writes. Throws if it is malformed. */
export function* pastPrints(bytes: Buffer): Generator<ContractPrints> {
  for (let offset = 0; offset < bytes.length; ) {
    const end = offset + 4 + bytes.readUInt32LE(offset);
    const head: unknown = JSON.parse(bytes.toString('utf8', offset + 4, end));
    const [slug, venueSymbol, count]: unknown[] = Array.isArray(head) ? head : [];
    if (typeof slug !== 'string' || typeof venueSymbol !== 'string' || typeof count !== 'number')
      throw new Error('the simulator sent a malformed name of a contract');
    const prints: Print[] = [];
    for (offset = end; offset < end + count * PRINT_BYTES; offset += PRINT_BYTES)
      prints.push({ minute: bytes.readUInt32LE(offset), ratePct: bytes.readDoubleLE(offset + 4) });
    yield { slug, venueSymbol, prints };
  }
}
