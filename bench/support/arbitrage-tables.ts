import type { ArbitrageSource } from '../../src/engines/arbitrage/source.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { madeArbitrage } from '../../test/operations/made-arbitrage.ts';
import { sized } from '../size.ts';
import { AS_OF_MS } from './rest-tables.ts';

const EXCHANGES = VENUES.map(({ facts }) => facts.exchange).sort();
const WANTED_PAIRS = sized(70_000, 70_000, 1_000);
const PAIRS_PER_COIN = (EXCHANGES.length * (EXCHANGES.length - 1)) / 2;
const COINS = Math.ceil(WANTED_PAIRS / PAIRS_PER_COIN);
export const ARBITRAGE_ROWS = COINS * PAIRS_PER_COIN;

/** Every venue quotes every coin. */
export function benchArbitrage(): ArbitrageSource {
  const coins = Array.from({ length: COINS }, (_, i) => `C${i.toString(36).toUpperCase()}`).sort();
  return madeArbitrage({ coins, exchanges: EXCHANGES, asOfMs: AS_OF_MS });
}
