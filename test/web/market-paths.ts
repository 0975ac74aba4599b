import { MARKET_PAGES } from '../../src/doors/web/pages/registry.ts';
import { until } from '../support/until.ts';
import type { FilledMarket } from './filled-market.ts';

export const VENUE_PATH = '/exchanges/Binance';
export const CONTRACT_PATH = '/depth/BTC/Binance';
export const RUNNING_PATH = '/funding/BTC/Binance';

/** An example path of every page of market data but that of a pair. */
export const MARKET_PATHS = [
  ...MARKET_PAGES.filter(({ label }) => label !== undefined).map(({ path }) => path.replace(':coin', 'BTC')),
  VENUE_PATH,
  CONTRACT_PATH,
  RUNNING_PATH,
];

/** The page of a pair of the backtest that visitors may see. */
export async function pairPath(market: FilledMarket): Promise<string> {
  const reply = await market.get('/api/v1/spreads/backtest', { plan: 'demo' });
  const { data } = reply.body as { data: { spreads: Record<string, string>[] } };
  const [row] = data.spreads;
  if (!row) throw new Error('the backtest has no row for visitors');
  const { coin = '', exchange_a = '', exchange_b = '' } = row;
  return `/spreads/backtest/pair?${new URLSearchParams({ coin, exchange_a, exchange_b })}`;
}

/** The page of a pair of /arbitrage that visitors may see. */
export async function carryPath(market: FilledMarket): Promise<string> {
  const answer = () => market.get('/api/v1/arbitrage', { plan: 'demo' });
  // The pairs are computed after the first snapshot.
  await until(async () => (await answer()).status === 200, 'the pairs');
  const { data } = (await answer()).body as { data: { pairs: Record<string, string>[] } };
  const [row] = data.pairs;
  if (!row) throw new Error('/arbitrage has no row for visitors');
  const { coin = '', long_exchange = '', short_exchange = '' } = row;
  return `/arbitrage/pair?${new URLSearchParams({ coin, long_exchange, short_exchange })}`;
}
