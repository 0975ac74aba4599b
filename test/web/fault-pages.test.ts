import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type FilledMarket, filledMarket, HELD_AT_MS } from './filled-market.ts';

suite('links on pages of wrong filters', () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket({ venues: ['binance', 'bybit', 'okx'], coins: 12, heldAtMs: HELD_AT_MS });
  });
  after(() => market.stop());

  const open = async (path: string) => {
    const reply = await fetch(`${market.service.baseUrl}${path}`, { headers: { accept: 'text/html' } });
    return { status: reply.status, html: await reply.text() };
  };

  const cases = [
    ['/funding?min_apr_pct=abc', 400, '/funding'],
    ['/spreads?exchange=Nowhere', 404, '/spreads'],
    ['/arbitrage?fees=Nowhere:1', 404, '/arbitrage'],
    ['/funding/BTC/history?days=x', 400, '/funding/BTC/history'],
    ['/listings?at=yesterday', 400, '/listings'],
    ['/spreads/backtest/pair?coin=BTC', 400, '/spreads/backtest'],
    ['/spreads/backtest/pair?coin=X&exchange_a=OKX&exchange_b=Bybit', 404, '/spreads/backtest'],
  ] as const;
  for (const [path, status, onward] of cases) {
    test(`${path} links to ${onward}, which exists`, async () => {
      const page = await open(path);
      assert.equal(page.status, status);
      // A list keeps its form and says what is wrong; other pages are replaced.
      const inline = `<a class="btn" href="${onward}">Clear filters</a>`;
      const link = path.startsWith(`${onward}?`)
        ? inline
        : `<a class="btn pri" href="${onward}">All backtested pairs</a>`;
      assert.ok(page.html.includes(link), page.html);
      const isList = link === inline && onward !== '/funding/BTC/history';
      assert.equal(page.html.includes('<form class="fbar"'), isList);
      assert.equal((await open(onward)).status, 200);
    });
  }

  test('a range that is too long is shortened, and the page says what was asked for', async () => {
    const { status, html } = await open('/funding/BTC/history?days=9999');
    assert.equal(status, 200);
    assert.match(html, /You asked for 9,999 days\. Without a plan the last 7 days are shown\./);
    assert.doesNotMatch((await open('/funding/BTC/history?days=7')).html, /You asked for/);
  });

  test('without a wrong filter there is no link without filters', async () => {
    for (const path of ['/funding/NOSUCHCOIN', '/funding/NOSUCHCOIN?min_volume_usdt=1', '/nowhere?x=1']) {
      const { status, html } = await open(path);
      assert.equal(status, 404, path);
      assert.doesNotMatch(html, /without filters|All backtested pairs/, path);
    }
  });
});
