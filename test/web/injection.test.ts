import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import { VISITOR } from '../../src/doors/web/layout/visitor.ts';
import { HISTORY_PAGE } from '../../src/doors/web/pages/coin/history/history.ts';
import type { PageContext } from '../../src/doors/web/pages/page-context.ts';
import { webDoor } from '../../src/doors/web/web.ts';
import { ARBITRAGE_TABLE } from '../../src/engines/arbitrage/table.ts';
import type { AuditReport } from '../../src/engines/audit/report.ts';
import { VenueWindows } from '../../src/engines/audit/windows.ts';
import { BACKTEST_TABLES } from '../../src/engines/backtest/rows.ts';
import { SHIPPED } from '../../src/engines/forecast/models.ts';
import { COINS_TABLE, EXCHANGES_TABLE } from '../../src/engines/funding/catalogue.ts';
import { FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import { LISTINGS_TABLE } from '../../src/engines/listings/table.ts';
import { SPREADS_TABLE } from '../../src/engines/spreads/table.ts';
import type { Cell, Table, TableSpec } from '../../src/market/tables/table.ts';
import { TableBuilder } from '../../src/market/tables/table-builder.ts';
import type { TableSource } from '../../src/market/timeline.ts';
import { Entrance, type EntranceOptions } from '../../src/operations/access/entrance.ts';
import type { DataSources } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { NO_DISK_FAULTS } from '../../src/storage/disk-state.ts';
import { startBrowser, visit } from '../support/browser.ts';

const HOSTILE = `"><img src=x onerror=alert(1)></td></script><script>alert(2)</script>'|[x](javascript:alert(3))\n\`<blink>`;
const NOW_MS = Date.now();
const ROWS = 12;

/** A table in which every text is an attack, except one coin, which must be a valid path parameter. */
function hostileSource(spec: TableSpec): TableSource {
  const builder = new TableBuilder(spec);
  for (let row = 0; row < ROWS; row++) {
    const cells: Record<string, Cell> = {};
    for (const { name, type } of spec.columns) {
      if (type === 'text') cells[name] = name === 'coin' && row === 0 ? 'EVIL' : HOSTILE;
      else if (type === 'texts') cells[name] = [HOSTILE];
      else cells[name] = type === 'flag' ? false : type === 'time' ? NOW_MS + 3_600_000 : row + 1;
    }
    builder.add(cells);
  }
  const moment = { asOfMs: NOW_MS - 1_000_000, table: builder.build() };
  return { at: () => moment, exactly: () => moment, after: () => null };
}

const arbitrageRows = hostileSource(ARBITRAGE_TABLE) as TableSource & { at(): { table: Table } };
const data = {
  venues: [{ slug: 'evil', facts: { exchange: HOSTILE, name: HOSTILE, takerFeePct: { value: 1 } } }],
  funding: hostileSource(FUNDING_TABLE),
  spreads: hostileSource(SPREADS_TABLE),
  backtest: Object.fromEntries(
    Object.entries(BACKTEST_TABLES).map(([size, spec]) => [size, hostileSource(spec)]),
  ) as unknown as DataSources['backtest'],
  arbitrage: {
    ...arbitrageRows,
    view: () => arbitrageRows.at().table,
    modelsAt: () => SHIPPED,
    timesAboveFee: () => null,
  },
  depth: { at: () => null, exactly: () => null, after: () => null },
  forecastModels: { at: () => null, exactly: () => null, after: () => null },
  listings: hostileSource(LISTINGS_TABLE),
  coins: hostileSource(COINS_TABLE),
  exchanges: hostileSource(EXCHANGES_TABLE),
  history: { changes: 0, directory: { size: 0, find: () => undefined, ofCoin: () => [], coins: () => [] } },
} as unknown as DataSources;

const server = createHttpServer({
  baseUrl: () => 'http://127.0.0.1',
  trustedProxies: [],
  log: createLog('silent'),
  metrics: createMetrics(),
});
const entrance = new Entrance({
  clock: systemClock,
  baseUrl: 'http://127.0.0.1',
  isApiEnabled: true,
  data,
} as unknown as EntranceOptions);
const status = {
  exchange: HOSTILE,
  contracts: 1,
  lastGoodAtMs: NOW_MS,
  failing: [{ name: HOSTILE, cause: HOSTILE }],
  keptOut: 0,
  availabilityPct: 100,
  days: [],
  watchedMinutes: 5,
};
const FIGURES = new VenueWindows().figures(24, 0);
const accuracy: AuditReport = {
  asOfMs: NOW_MS,
  withholding: 'all',
  venues: [
    {
      exchange: HOSTILE,
      rule: 'accrual',
      windows: [FIGURES, FIGURES, FIGURES],
      days: [{ day: 20_771, comparisons: 1, closePct: 100, medianErrorBp: 0 }],
      judged: 1,
      checks: null,
      alarms: [{ fault: 'sign', sinceMs: NOW_MS, evidence: HOSTILE }],
      notices: [{ kind: 'counted_twice', field: 'open_interest_usdt', sinceMs: NOW_MS, evidence: HOSTILE }],
    },
  ],
};
await server.register(
  webDoor({
    entrance,
    operations: OPERATIONS,
    signedIn: () => ({ caller: VISITOR, email: HOSTILE }),
    venueStatus: () => [status],
    venueTimes: () => [status],
    jobs: () => [],
    diskFaults: () => NO_DISK_FAULTS,
    splitTickers: () => [],
    accuracy: () => accuracy,
    pairChart: async () => null,
    saveStars: async () => undefined,
    saveFees: async () => undefined,
    saveOrderSize: async () => undefined,
  }),
);
const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser();
after(async () => {
  await server.close();
  if (typeof browser !== 'string') await browser.close();
});

const QUERY = new URLSearchParams({ view: 'week', zzz: HOSTILE, [HOSTILE]: HOSTILE }).toString();
const PAGES = [
  '/',
  '/funding',
  '/funding/EVIL',
  '/arbitrage',
  '/spreads',
  '/spreads/backtest',
  '/listings',
  '/coins',
  '/exchanges',
  '/status',
  '/accuracy',
];
/** Matches the attacks if they are not escaped. */
const ATTACK = /<img src=x|<script>alert|<blink>|<\/td><\/script>/;

suite('external text is always escaped', () => {
  for (const path of PAGES) {
    test(`${path}: venues, coins, statuses, addresses, the visitor's name and the query`, async () => {
      const reply = await fetch(`${baseUrl}${path}?${QUERY}`);
      const text = await reply.text();
      assert.equal(reply.status, 200, text.slice(0, 500));
      assert.ok(text.includes('&lt;img src=x onerror=alert(1)&gt;'), 'the attack is on the page as text');
      assert.doesNotMatch(text, ATTACK);
      assert.doesNotMatch(text, /href="javascript:/i);
    });

    test(`${path} in Markdown: no markup, no link, no extra column or line`, async () => {
      const reply = await fetch(`${baseUrl}${path === '/' ? '/index' : path}.md`);
      const text = await reply.text();
      assert.equal(reply.status, 200, text.slice(0, 500));
      assert.doesNotMatch(text, /(?<!\\)<(?:img|script|blink)\b/);
      assert.doesNotMatch(text, /(?<!\\)\]\(javascript:/);
      const tables = text.split('\n\n').filter((block) => block.startsWith('| '));
      for (const table of tables) {
        const widths = table
          .trim()
          .split('\n')
          .map((line) => line.split(/(?<!\\)\|/).length);
        assert.equal(new Set(widths).size, 1, `columns ${widths}`);
      }
    });

    test(`${path} in a browser`, { skip: typeof browser === 'string' ? browser : false }, async () => {
      const { page, context, complaints } = await visit(browser as Browser);
      page.on('dialog', (dialog) => {
        complaints.push(`dialog ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(`${baseUrl}${path}?${QUERY}`, { waitUntil: 'load' });
      assert.equal(await page.locator('img[src=x]').count(), 0);
      assert.deepEqual(
        complaints.filter((one) => !one.includes('Failed to load resource')),
        [],
      );
      await context.close();
    });
  }

  test('markup in the path is escaped on the error page', async () => {
    const marked = encodeURIComponent('<img src=x>');
    for (const path of [`/funding/${marked}`, `/funding?sort=${marked}`, `/funding?exchange=${marked}`]) {
      const reply = await fetch(`${baseUrl}${path}`);
      assert.ok(reply.status === 400 || reply.status === 404, `${path}: ${reply.status}`);
      assert.doesNotMatch(await reply.text(), /<img src=x/);
    }
  });

  test('the history of a coin with hostile venues, as page, Markdown and CSV', () => {
    const meta = { as_of: '2026-11-15T00:00:00Z', delayed_seconds: 0, source: 'Perpwire', url: 'http://x' };
    const names = { exchange: HOSTILE, symbol: '=HYPERLINK("x")' };
    const answer = {
      coin: 'EVIL',
      query: { mode: '1d', days: 7, range: { days: null, tooMany: null, mostDays: 7, isPlanLimit: true } },
      choice: { all: [HOSTILE], chosen: [HOSTILE] },
      series: [{ ...names, points: [[NOW_MS, 1]] }],
      totals: [
        { ...names, payments: 1, sumPct: 1, perHourPct: 1, highestPct: 1, lowestPct: 1, longsPaidPct: 1 },
      ],
      heldSince: null,
      prices: [
        { minute: NOW_MS / 60_000 - 10, exchange: HOSTILE, price: 1 },
        { minute: NOW_MS / 60_000, exchange: HOSTILE, price: 1 },
      ],
      meta,
      age: meta,
    };
    const preferences = { unit: '8h' };
    const context = {
      ...{
        caller: VISITOR,
        sent: new Map(),
        isSignedIn: false,
        preferences,
        stars: new Set(),
        jobs: () => [],
      },
    } as unknown as PageContext;
    assert.doesNotMatch(String(HISTORY_PAGE.view(answer, context).body), ATTACK);
    assert.doesNotMatch(HISTORY_PAGE.markdown(answer, context), /(?<!\\)<(?:img|script|blink)\b/);
    const csv = HISTORY_PAGE.files?.['.csv']?.write(answer, context) ?? '';
    assert.match(csv, /,"'=HYPERLINK\(""x""\)",/, 'no cell that a spreadsheet would compute');
  });
});
