import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { keepScores } from './made-scores.ts';
import { words } from './page-text.ts';

/** A call of each operation, and words or figures of its answer that the page must have. */
const CALLS: Readonly<Record<string, { path: string; shows: RegExp }>> = {
  funding: { path: '/funding?coin=BTC', shows: /BTC.*Binance/ },
  'coin-funding': { path: '/funding/BTC', shows: /BTC.*Binance/ },
  'funding-history': { path: '/funding/history?coin=BTC', shows: /Every figure/ },
  'funding-running': {
    path: '/funding/running?coin=BTC&exchange=Binance&days=1',
    shows: /Binance.*"name":"Running"/,
  },
  'open-interest-history': {
    path: '/open-interest/history?coin=BTC&days=1',
    shows: /open interest.*"name":"Total"|"name":"(All venues|Open interest|Sum)/,
  },
  spreads: { path: '/spreads?coin=BTC', shows: /BTC/ },
  'spread-backtest': { path: '/spreads/backtest', shows: /est|profit/i },
  arbitrage: { path: '/arbitrage?coin=BTC', shows: /BTC/ },
  'arbitrage-history': {
    path: '/arbitrage/history?coin=BTC&long_exchange=OKX&short_exchange=Binance&days=5',
    shows: /OKX.*Binance/,
  },
  depth: { path: '/depth?coin=BTC', shows: /BTC/ },
  'depth-history': {
    path: '/depth/history?coin=BTC&exchange=Binance&size_usd=1000',
    shows: /BTC-USDT.*through the week/,
  },
  'forecast-accuracy': { path: '/forecasts/accuracy', shows: /mean error in basis points.*120/ },
  listings: { path: '/listings', shows: /Listings/ },
  exchanges: { path: '/exchanges', shows: /Binance/ },
  coins: { path: '/coins?q=BTC', shows: /BTC/ },
};

suite('meta.url is the human page for the same data', () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket({ venues: ['binance', 'bybit', 'okx'], coins: 12 });
    await keepScores(market);
  });
  after(() => market.stop());

  // The page of usage is that of the signed-in account.
  for (const { id } of OPERATIONS)
    if (id !== 'usage')
      test(id, async () => {
        const { path, shows } = CALLS[id] ?? assert.fail(`no call of ${id}`);
        const reply = await market.get(`/api/v1${path}`, { plan: 'demo' });
        assert.equal(reply.status, 200, reply.text.slice(0, 300));
        const { url } = (reply.body as { meta: { url: string } }).meta;
        const page = await fetch(url);
        assert.equal(page.status, 200, url);
        const text = await page.text();
        const shown = `${words(text)} ${text}`.replaceAll('\n', ' ');
        assert.match(shown, shows, url);
      });

  test('the page of a venue says what its figures count', async () => {
    for (const ending of ['', '.md']) {
      const reply = await fetch(`${market.service.baseUrl}/exchanges/Binance${ending}`);
      assert.match(await reply.text(), /One side or both[\s\S]*24 h volume counts one side/);
    }
  });

  test('of single contracts and of series it names the coin, the venue and the figure', async () => {
    const urlOf = async (path: string) => {
      const { pathname, search } = new URL(
        ((await market.get(`/api/v1${path}`)).body as { meta: { url: string } }).meta.url,
      );
      return `${pathname}${search}`;
    };
    assert.equal(
      await urlOf('/depth/history?coin=btc&exchange=OKX&size_usd=1000&days=2'),
      '/depth/BTC/OKX?size_usd=1000',
    );
    assert.equal(
      await urlOf('/funding/running?coin=BTC&exchange=Bybit&symbol=BTC-USDT&step=5m&days=2'),
      '/funding/BTC/Bybit?symbol=BTC-USDT&days=2',
    );
    assert.equal(await urlOf('/open-interest/history?coin=BTC&days=3'), '/funding/BTC/open-interest?days=3');
    assert.equal(await urlOf('/forecasts/accuracy?days=30'), '/accuracy/forecasts');
    // Of many venues that of the most traded contract.
    const all = await urlOf('/funding/running?coin=BTC');
    assert.match(all, /^\/funding\/BTC\/(Binance|Bybit|OKX)$/);
  });
});
