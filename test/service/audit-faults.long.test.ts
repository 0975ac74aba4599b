import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import type { Faults } from '../../sim/faults.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { HOUR_MS } from '../../src/base/times.ts';
import { type AuditFault, FAULT_WORDS } from '../../src/engines/audit/faults.ts';
import { collectOnce, rowsOf, runService } from '../support/service.ts';
import { tablesOf } from '../web/page-text.ts';
import { type Auditing, metricOf, throughHour, venueOf } from './auditing.ts';

const START_MS = Date.UTC(2026, 10, 13, 7, 30);
const HEALTHY = ['Kraken', 'Bitget'];

/** One venue in each fault, all at once. */
const FAULTY: Record<string, { exchange: string; faults: Partial<Faults>; expected: AuditFault }> = {
  binance: { exchange: 'Binance', faults: { ratesInPercent: true }, expected: 'hundredfold' },
  bybit: { exchange: 'Bybit', faults: { ratesFlipped: true }, expected: 'sign' },
  okx: { exchange: 'OKX', faults: { ratesLastSettled: true }, expected: 'last_settled' },
  gate: { exchange: 'Gate', faults: { intervalOff: true }, expected: 'interval' },
  mexc: { exchange: 'MEXC', faults: { volumeDoubled: true }, expected: 'volume' },
  kucoin: { exchange: 'KuCoin', faults: {}, expected: 'frozen_row' },
  // It states no next settlement, so only the other figures show that a row stands still.
  hyperliquid: { exchange: 'Hyperliquid', faults: {}, expected: 'frozen_row' },
};

suite('simulated faults are caught by the audit', () => {
  let auditing: Auditing;
  let hourMs = START_MS + HOUR_MS / 2;
  const frozenSymbols: Record<string, string> = { kucoin: '', hyperliquid: '' };
  const lines: { venue?: string; fault?: string; msg: string }[] = [];
  const log = createLog(
    'warn',
    new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    }),
  );
  const alarmLines = (venue: string) =>
    lines.filter((line) => line.venue === venue && line.msg.startsWith('audit alarm')).map(({ msg }) => msg);
  const settle = async (times: number) => {
    for (let i = 0; i < times; i++) {
      await throughHour(auditing, hourMs);
      hourMs += 8 * HOUR_MS;
    }
  };
  const rowsBy = async (exchange: string) =>
    rowsOf(await auditing.running.get(`/api/v1/funding?limit=500&sort=exchange_asc&exchange=${exchange}`));
  const assertFrozenRows = async (isPublished: boolean) => {
    for (const [slug, symbol] of Object.entries(frozenSymbols)) {
      const rows = await rowsBy(FAULTY[slug]?.exchange ?? '');
      assert.equal(
        rows.some((row) => row.venue_symbol === symbol),
        isPublished,
        slug,
      );
    }
  };
  const report = () => auditing.running.service.audit.report();

  before(async () => {
    const clock = new ManualClock(START_MS);
    const venues = [...Object.keys(FAULTY), 'kraken', 'bitget'];
    const running = await runService({
      clock,
      coins: 24,
      venues,
      settings: { AUDIT_WITHHOLD: 'all' },
      serviceOptions: { log },
    });
    auditing = { clock, running };
    // The volume of a venue is held against a day of its own.
    for (let i = 0; i < 25; i++) {
      clock.setMs(START_MS + i * HOUR_MS);
      await collectOnce(running);
    }
    hourMs = Math.ceil((clock.nowMs() + HOUR_MS / 2) / (8 * HOUR_MS)) * 8 * HOUR_MS;
    // The only contract on its coin.
    for (const slug of Object.keys(frozenSymbols)) {
      const { open } = running.sim.view(slug);
      const frozen = open.find(({ coin }) => open.filter((other) => other.coin === coin).length === 1);
      frozenSymbols[slug] = frozen?.venueSymbol ?? '';
    }
  });
  after(() => auditing.running.stop());

  test('before the faults there is no alarm', async () => {
    await auditing.running.service.audit.refresh();
    assert.deepEqual(
      report()?.venues.flatMap(({ alarms }) => alarms),
      [],
    );
    await assertFrozenRows(true);
  });

  test('with the faults on, each venue gets its own alarm after a day of settlements', async () => {
    for (const [slug, { faults }] of Object.entries(FAULTY))
      auditing.running.sim.setFaults(slug, { ...faults, frozenRow: frozenSymbols[slug] ?? '' });
    await settle(3);
    const found = Object.values(FAULTY).map(({ exchange }) => [
      exchange,
      venueOf(report(), exchange).alarms.map(({ fault }) => fault),
    ]);
    assert.deepEqual(
      found,
      Object.values(FAULTY).map(({ exchange, expected }) => [exchange, [expected]]),
    );
    for (const exchange of HEALTHY) assert.deepEqual(venueOf(report(), exchange).alarms, []);
  });

  test('each is a metric, one line in the log, and a mark on /status and /accuracy', async () => {
    await collectOnce(auditing.running);
    const status = await (await fetch(`${auditing.running.service.baseUrl}/status`)).text();
    const accuracy = await (await fetch(`${auditing.running.service.baseUrl}/accuracy`)).text();
    const shown = tablesOf(status)[0] ?? [];
    for (const [slug, { exchange, expected }] of Object.entries(FAULTY)) {
      const series = `perpwire_venue_audit_alarm{venue="${slug}",fault="${expected}"}`;
      assert.equal(await metricOf(auditing.running, series), 1, series);
      assert.deepEqual(alarmLines(slug), [`audit alarm: ${FAULT_WORDS[expected].finding}`]);
      const row = shown.find(([name]) => name === exchange) ?? [];
      assert.equal(row[1], 'in part', exchange);
      assert.ok((row.at(-1) ?? '').includes(FAULT_WORDS[expected].finding), row.at(-1) ?? '');
      assert.match(row.at(-1) ?? '', /rows are withheld/);
      assert.ok(accuracy.includes(`alarm: ${expected}`));
    }
    const past = 'perpwire_venue_check_rows{venue="kucoin",check="settlement_past"}';
    assert.equal(await metricOf(auditing.running, past), 1);
  });

  test('their rows are withheld, of the frozen one only itself, and no others', async () => {
    for (const [slug, { exchange }] of Object.entries(FAULTY)) {
      const rows = await rowsBy(exchange);
      if (frozenSymbols[slug] === undefined) assert.deepEqual(rows, [], exchange);
      else assert.ok(rows.length > 10, exchange);
    }
    await assertFrozenRows(false);
    for (const exchange of HEALTHY) assert.ok((await rowsBy(exchange)).length > 10, exchange);
    const spreads = rowsOf(await auditing.running.get('/api/v1/spreads?limit=500'));
    assert.deepEqual(
      [...new Set(spreads.flatMap((row) => [row.exchange_a, row.exchange_b]))].sort(),
      ['Hyperliquid', 'KuCoin', ...HEALTHY].sort(),
    );
    for (const [slug, symbol] of Object.entries(frozenSymbols)) {
      const frozenCoin = auditing.running.sim.view(slug).find(symbol)?.coin.ticker;
      const { exchange } = FAULTY[slug] as { exchange: string };
      const ofFrozenCoin = spreads.filter(({ coin }) => coin === frozenCoin);
      assert.ok(ofFrozenCoin.length > 0);
      for (const row of ofFrozenCoin)
        assert.equal([row.exchange_a, row.exchange_b].includes(exchange), false, `${row.symbol}`);
    }
  });

  test('when the faults are gone the alarms end, with one line each, and the rows come back', async () => {
    for (const slug of Object.keys(FAULTY)) auditing.running.sim.setFaults(slug, {});
    await settle(5);
    assert.deepEqual(
      report()?.venues.flatMap(({ exchange, alarms }) => alarms.map(({ fault }) => [exchange, fault])),
      [],
    );
    for (const [slug, { exchange, expected }] of Object.entries(FAULTY)) {
      assert.deepEqual(alarmLines(slug).slice(1), ['audit alarm ended'], slug);
      const series = `perpwire_venue_audit_alarm{venue="${slug}",fault="${expected}"}`;
      assert.equal(await metricOf(auditing.running, series), 0);
      assert.ok((await rowsBy(exchange)).length > 10, exchange);
    }
    await assertFrozenRows(true);
  });
});
