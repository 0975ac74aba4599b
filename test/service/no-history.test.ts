import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { verdictOf } from '../../src/engines/audit/report.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { collectOnce, rowsOf, runService } from '../support/service.ts';
import { type Auditing, metricOf, throughHour, venueOf } from './auditing.ts';

const START_MS = Date.UTC(2026, 10, 14, 7, 30);
const FIRST_HOUR_MS = Date.UTC(2026, 10, 14, 8);
const WITHOUT_HISTORY = VENUES.filter(({ facts }) => facts.noHistory !== undefined);
const WITHOUT_BOOK = VENUES.filter(({ facts }) => facts.noBook !== undefined);

suite('venues that publish no settled history', () => {
  let auditing: Auditing;
  before(async () => {
    const clock = new ManualClock(START_MS);
    const venues = ['binance', 'okx', ...WITHOUT_HISTORY.map(({ slug }) => slug)];
    auditing = { clock, running: await runService({ clock, coins: 12, venues }) };
    // Contracts of every interval settle at 08:00 and at 16:00.
    for (const hourMs of [FIRST_HOUR_MS, FIRST_HOUR_MS + 8 * HOUR_MS]) await throughHour(auditing, hourMs);
    // Pages show the snapshot of a quarter of an hour ago.
    clock.advanceMs(15 * MINUTE_MS);
    await collectOnce(auditing.running);
  });
  after(() => auditing.running.stop());
  const get = async (path: string) => rowsOf(await auditing.running.get(`/api/v1${path}`));

  test('there are some', () => assert.ok(WITHOUT_HISTORY.length > 0));

  for (const { slug, facts } of WITHOUT_HISTORY) {
    const { exchange, noHistory = '' } = facts;

    test(`${exchange}: settlements pass, and no running rate becomes a print`, async () => {
      const rows = await get(`/funding?exchange=${exchange}&limit=100`);
      assert.ok(rows.length > 5);
      for (const row of rows) {
        assert.equal(typeof row.rate_pct, 'number');
        const { sum_7d_pct, sum_30d_pct, last_rate_pct, last_funding_at, covered_until } = row;
        assert.deepEqual(
          [sum_7d_pct, sum_30d_pct, last_rate_pct, last_funding_at, covered_until],
          [null, null, null, null, null],
        );
      }
      const { directory } = auditing.running.service.history.keeper;
      assert.deepEqual(
        directory.all().filter((contract) => contract.exchange === exchange),
        [],
      );
      // The same settlements of the other venues are stored.
      const [other] = await get('/funding?exchange=Binance&coin=BTC');
      assert.equal(Date.parse(String(other?.last_funding_at)), FIRST_HOUR_MS + 8 * HOUR_MS);
    });

    test(`${exchange}: its pairs have no realised carry`, async () => {
      const { body } = await auditing.running.get(`/api/v1/arbitrage?exchange=${exchange}&limit=50`);
      const { pairs } = (body as { data: { pairs: Record<string, unknown>[] } }).data;
      for (const pair of pairs)
        for (const [name, value] of Object.entries(pair))
          if (name.startsWith('realised')) assert.equal(value, null, name);
      // A pair needs the bid and ask of both legs.
      assert.equal(pairs.length > 0, facts.noBook === undefined);
    });

    test(`${exchange}: nothing is fetched, and prints of somebody else are not taken`, async () => {
      const { history } = auditing.running.service;
      const progress = history.progress().find((one) => one.exchange === exchange);
      assert.deepEqual([progress?.contracts, progress?.daysLeft], [0, 0]);
      const [contract] = await get(`/funding?exchange=${exchange}&limit=1`);
      const print = { minute: FIRST_HOUR_MS / MINUTE_MS, ratePct: 1 };
      const walked = { fromMs: START_MS, toMs: FIRST_HOUR_MS };
      await history.storePrints(slug, String(contract?.venue_symbol), [print], walked);
      assert.equal(history.keeper.directory.find(exchange, String(contract?.venue_symbol)), undefined);
    });

    test(`${exchange}: the audit waits for no print and says why`, async () => {
      const venue = venueOf(auditing.running.service.audit.report(), exchange);
      assert.equal(venue.rule, 'none');
      assert.equal(verdictOf(venue), 'the venue publishes no settled rates');
      assert.deepEqual(
        venue.windows.map(({ expected, missing, comparisons }) => [expected, missing, comparisons]),
        venue.windows.map(() => [0, 0, 0]),
      );
      const compared = `perpwire_venue_audit_comparisons_total{venue="${slug}"}`;
      assert.equal((await metricOf(auditing.running, compared)) ?? 0, 0);
    });

    test(`${exchange}: /exchanges and its page say why`, async () => {
      const [row] = await get(`/exchanges?q=${exchange}`);
      assert.equal(row?.no_history_reason, noHistory);
      for (const path of [`/exchanges/${exchange}`, `/exchanges/${exchange}.md`]) {
        const page = await fetch(`${auditing.running.service.baseUrl}${path}`);
        assert.equal(page.status, 200);
        assert.ok((await page.text()).includes(noHistory.slice(0, 60)), path);
      }
    });
  }

  for (const { facts } of WITHOUT_BOOK) {
    const { exchange, noBook = '' } = facts;
    test(`${exchange}: quotes on request make no spread, and its page states their age`, async () => {
      assert.deepEqual(await get(`/spreads?exchange=${exchange}`), []);
      assert.ok((await get('/spreads?exchange=OKX')).length > 0);
      const [row] = await get(`/exchanges?q=${exchange}`);
      assert.equal(row?.no_book_reason, noBook);
      // The simulator's quotes are up to 20 minutes old.
      const age = Number(row?.quote_age_seconds);
      assert.ok(age > 0 && age < 20 * 60, `${age} s`);
      const page = await fetch(`${auditing.running.service.baseUrl}/exchanges/${exchange}`);
      const text = await page.text();
      assert.ok(text.includes(noBook));
      assert.match(text, /Half of its quotes are at least \d+\s(s|min) old now\./);
    });
  }

  test('other venues have neither reason', async () => {
    const [row] = await get('/exchanges?q=Binance');
    const { no_history_reason, no_book_reason, quote_age_seconds } = row ?? {};
    assert.deepEqual([no_history_reason, no_book_reason, quote_age_seconds], [null, null, null]);
  });
});
