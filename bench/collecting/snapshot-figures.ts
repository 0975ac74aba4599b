import { MarketLegs } from '../../src/engines/arbitrage/legs.ts';
import { fundingTable } from '../../src/engines/funding/table.ts';
import { curveOfTop, type DatedCurve } from '../../src/market/depth/book-curve.ts';
import { encodeTable } from '../../src/market/tables/table-codec.ts';
import { type Figure, median, valueAtMost } from '../figure.ts';
import { sized } from '../size.ts';
import { cpuMsOf } from './cpu.ts';
import { SpreadMarket } from './spread-market.ts';

const ROUNDS = sized(18, 8, 1);
const WARM_UP_ROUNDS = sized(6, 4, 1);
const EVERY_MS = 10_000;
const BOOK_EVERY_MS = 60_000;
/** The most that the service may spend every ten seconds on each. */
const MOST_CPU_MS = 60;

/** What the collector makes of the market with every snapshot, besides settled sums and the audit. */
export function measureSnapshots(): Figure[] {
  const market = new SpreadMarket();
  const legs = new MarketLegs();
  const [snapshots, arbitrage]: [number[], number[]] = [[], []];
  // Books last for many snapshots, so those of the first one stay.
  const curves = new Map<string, DatedCurve>();
  let contracts = 0;
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    market.move(EVERY_MS);
    const { made, nowMs } = market;
    const snapshot = cpuMsOf(() => {
      const frozen = made.freezer.freeze(nowMs);
      encodeTable(fundingTable(frozen, new Map()));
      return frozen;
    });
    for (const state of snapshot.made.states) {
      const curve = curves.get(state.key)?.curve ?? (state.top && curveOfTop(state.top));
      if (curve) curves.set(state.key, { curve, atMs: nowMs, periodMs: BOOK_EVERY_MS });
    }
    const withBooks = { ...snapshot.made, curves };
    const refresh = cpuMsOf(() => encodeTable(legs.of(withBooks, new Map(), new Map())));
    contracts = snapshot.made.contracts.length;
    if (round < WARM_UP_ROUNDS) continue;
    snapshots.push(snapshot.cpuMs);
    arbitrage.push(refresh.cpuMs);
  }
  return [
    figure(`CPU of a funding snapshot of ${contracts} contracts`, snapshots),
    figure('CPU of the legs of arbitrage of that snapshot', arbitrage),
  ];
}

function figure(name: string, cpuMs: readonly number[]): Figure {
  return { name: `${name}, every 10 s`, value: median(cpuMs), unit: 'ms', target: valueAtMost(MOST_CPU_MS) };
}
