import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Perpwire } from '../../clients/typescript/src/index.ts';
import { callTool } from '../mcp/rpc.ts';
import { rowsOf } from '../support/service.ts';
import { type FilledMarket, filledMarket, HELD_AT_MS } from '../web/filled-market.ts';

const NAME = 'trade.xyz';

suite('a venue with a dot in its name, at every door', () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket({
      venues: ['binance', 'bybit', 'okx', 'tradexyz', 'paragon'],
      coins: 12,
      heldAtMs: HELD_AT_MS,
    });
  });
  after(() => market.stop());
  const page = async (path: string) => {
    const reply = await market.get(path);
    assert.equal(reply.status, 200, path);
    return reply.text;
  };

  test('REST: filters of lists, CSV and discovery', async () => {
    const rows = rowsOf(await market.get(`/api/v1/funding?exchange=${NAME}&limit=100`));
    assert.ok(rows.length > 10, `${rows.length} rows`);
    assert.deepEqual([...new Set(rows.map(({ exchange }) => exchange))], [NAME]);
    const tesla = rows.find(({ coin }) => coin === 'TSLA');
    assert.deepEqual([tesla?.venue_symbol, tesla?.asset_class], ['xyz:TSLA', 'stock']);
    const csv = await page(`/api/v1/funding?exchange=${NAME},Paragon&coin=TSLA&format=csv`);
    assert.match(csv, /trade\.xyz,.*xyz:TSLA/);
    const pair = `coin=TSLA&exchange=${NAME},Paragon&exchange_match=all`;
    assert.equal((await market.get(`/api/v1/spreads?${pair}`)).status, 200);
    const wrong = await market.get('/api/v1/funding?exchange=tradexyz');
    assert.equal(wrong.status, 404);
    assert.match(wrong.text, /trade\.xyz/, 'the right spelling is suggested');
  });

  test('pages: the venue, its contracts, their depth, and each of them as CSV or Markdown', async () => {
    assert.match(await page(`/exchanges/${NAME}`), /<h1[^>]*>[^<]*trade\.xyz/);
    assert.match(await page(`/exchanges/${NAME}.md`), /trade\.xyz/);
    assert.match(await page(`/funding/TSLA/${NAME}`), /trade\.xyz/);
    assert.match(await page(`/funding/TSLA/${NAME}.csv`), /^settled_at,/);
    assert.match(await page(`/funding/TSLA/${NAME}.md`), /trade\.xyz/);
    assert.match(await page(`/depth/TSLA/${NAME}`), /trade\.xyz/);
    assert.match(await page(`/funding?exchange=${NAME}`), /xyz:TSLA|TSLA/);
    assert.match(await page(`/funding/TSLA/history?exchange=${NAME}`), /trade\.xyz/);
  });

  test('links of the pages lead to the venue', async () => {
    const hrefs = [...(await page('/exchanges')).matchAll(/href="(\/[^"]*trade[^"]*)"/g)].map(
      ([, href]) => href,
    );
    assert.ok(hrefs.length > 0, 'a link');
    for (const href of new Set(hrefs)) await page(href?.replaceAll('&amp;', '&') ?? '');
  });

  test('MCP: a tool takes the name', async () => {
    const args = { exchange: [NAME], coin: ['TSLA'] };
    const { baseUrl } = market.service;
    const { structuredContent } = await callTool(
      baseUrl,
      market.keys.business,
      'svc_get_funding_rates',
      args,
    );
    assert.match(JSON.stringify(structuredContent?.data), /^\[{"exchange":"trade\.xyz"/);
  });

  test('the TypeScript client takes the name', async () => {
    const perpwire = new Perpwire({ apiKey: market.keys.business, baseUrl: market.service.baseUrl });
    const { data } = await perpwire.funding.list({ exchange: [NAME], coin: ['TSLA'] });
    assert.deepEqual(
      data.map(({ exchange, symbol }) => [exchange, symbol]),
      [[NAME, 'TSLA-USDC']],
    );
  });

  test('an alert names the venue', async () => {
    const { accounts, alerts } = market.service;
    const { id } = await accounts.accounts.create({
      name: 'alerts',
      plan: 'business',
      email: 'a@example.com',
    });
    const { endpoint } = await alerts.alerts.createEndpoint(id, 'webhook', {
      url: 'https://example.com/hook',
    });
    const rule = await alerts.alerts.createRule(id, {
      ...{ name: '', operation: 'funding', query: `exchange=${NAME}&coin=TSLA` },
      ...{ condition: { kind: 'enters' }, everyMinutes: 0, endpointIds: [endpoint.id] },
    });
    assert.match(JSON.stringify(rule), /exchange=trade\.xyz/);
  });
});
