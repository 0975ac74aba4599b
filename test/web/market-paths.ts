import type { FilledMarket } from './filled-market.ts';

/** An address of every page of market data, for what must hold on all of them. */
export const MARKET_PATHS = [
  '/',
  '/funding',
  '/funding/heat-map',
  '/funding/BTC',
  '/funding/BTC/history',
  '/spreads',
  '/spreads/backtest',
  '/listings',
  '/coins',
  '/exchanges',
  '/status',
] as const;

/** The page of a pair of the backtest that visitors may see. */
export async function pairPath(market: FilledMarket): Promise<string> {
  const reply = await market.get('/api/v1/spreads/backtest', { plan: 'demo' });
  const { data } = reply.body as { data: { spreads: Record<string, string>[] } };
  const [row] = data.spreads;
  if (!row) throw new Error('the backtest has no row for visitors');
  const { coin = '', exchange_a = '', exchange_b = '' } = row;
  return `/spreads/backtest/pair?${new URLSearchParams({ coin, exchange_a, exchange_b })}`;
}
