import { arbitrage } from './arbitrage/arbitrage.ts';
import { arbitrageHistory } from './arbitrage/arbitrage-history.ts';
import { coinFunding } from './coin-funding/coin-funding.ts';
import { coinsOperation } from './coins.ts';
import { depth } from './depth/depth.ts';
import { depthHistory } from './depth/depth-history.ts';
import { exchangesOperation } from './exchanges.ts';
import { forecastAccuracy } from './forecast-accuracy/forecast-accuracy.ts';
import { funding } from './funding.ts';
import { fundingHistory } from './funding-history/funding-history.ts';
import { listings } from './listings.ts';
import type { AnyOperation } from './operation.ts';
import { spreadBacktest } from './spread-backtest.ts';
import { spreads } from './spreads.ts';
import { openInterestHistory } from './tape/open-interest.ts';
import { runningFunding } from './tape/running.ts';
import { usage } from './usage.ts';

/** Every endpoint below /api/v1, in the order in which discovery and the docs list them. */
export const OPERATIONS: readonly AnyOperation[] = [
  funding,
  coinFunding,
  fundingHistory,
  runningFunding,
  openInterestHistory,
  spreads,
  spreadBacktest,
  arbitrage,
  arbitrageHistory,
  depth,
  depthHistory,
  forecastAccuracy,
  listings,
  exchangesOperation,
  coinsOperation,
  usage,
];
