import { usualRule } from '../../src/engines/backtest/rule.ts';
import type { BacktestHost } from '../../src/engines/backtest/running/host.ts';
import { basisOf, encodeState } from '../../src/engines/backtest/state.ts';
import { encodeSamples } from '../../src/history/samples/codec.ts';
import type { MinuteSample } from '../../src/history/samples/model.ts';
import type { BenchMarket } from './market.ts';

const RULE = usualRule();
const HOUR = 60;

/** The next minutes of a market as a stored block. */
export function nextBlock(market: BenchMarket, minutes: number): { block: Buffer; samples: MinuteSample[] } {
  const samples = Array.from({ length: minutes }, () => market.next());
  return { block: encodeSamples(samples), samples };
}

/** An engine with a day of samples in memory, as after a restart. */
export async function beginWithADay(host: BacktestHost, market: BenchMarket): Promise<void> {
  const basis = { rule: RULE, takerFeesPct: market.takerFeesPct };
  const blocks: Buffer[] = [];
  let minute = 0;
  for (let hour = 0; hour < 24; hour++) {
    const { block, samples } = nextBlock(market, HOUR);
    blocks.push(block);
    minute = samples.at(-1)?.minute ?? 0;
  }
  const state = encodeState({
    minute,
    basis: basisOf(basis.rule, basis.takerFeesPct),
    contracts: market.contracts.map(({ id }) => ({ id, lastMinute: minute })),
    open: [],
    closed: [],
  });
  await host.begin(basis, state, market.contracts);
  for (const block of blocks) await host.take({ block, contracts: [], reportAt: [] });
}
