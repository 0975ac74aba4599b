import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { callTool } from '../mcp/rpc.ts';
import { collectOnce, type Running, rowsOf, runService } from '../support/service.ts';
import { markdownTables } from '../web/page-text.ts';
import { fetchPrints, venueOf } from './auditing.ts';

const START_MS = Date.UTC(2026, 10, 14, 0, 20);
const STEP_MS = 8 * HOUR_MS;

suite('a venue that copies the rates of another', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-mirrors-'));
  const clock = new ManualClock(START_MS);
  const options = { clock, coins: 24, venues: ['gate', 'xt', 'okx'], dataDir };
  let running: Running;
  before(async () => {
    running = await runService(options);
    running.sim.setFaults('gate', { copiesRatesOf: 'xt' });
    await settle(4);
  });
  after(async () => {
    await running.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Publishes with the prints of the last hours known. */
  async function settle(hoursBack = 9): Promise<void> {
    await collectOnce(running);
    await fetchPrints(running, hoursBack);
    clock.advanceMs(11 * MINUTE_MS);
    await collectOnce(running);
    await running.service.audit.refresh();
    await collectOnce(running);
    await running.service.audit.refresh();
  }

  const mirrors = async () =>
    Object.fromEntries(
      rowsOf(await running.get('/api/v1/exchanges')).map((row) => [row.exchange, row.mirrors]),
    );
  const pairs = async () => {
    const { body } = await running.get('/api/v1/arbitrage?limit=500');
    const { data } = body as { data: { pairs: Record<string, unknown>[] } };
    const named = data.pairs.map((row) => [row.long_exchange, row.short_exchange].sort().join(' '));
    return [...new Set(named)].sort();
  };
  const pageAt = async (path: string) => await (await fetch(`${running.service.baseUrl}${path}`)).text();
  const ALL_PAIRS = ['Gate OKX', 'Gate XT', 'OKX XT'];

  test('is not named before a day of prints is known', async () => {
    clock.advanceMs(STEP_MS);
    await settle();
    assert.deepEqual(await mirrors(), { Gate: null, XT: null, OKX: null });
    assert.deepEqual(await pairs(), ALL_PAIRS);
  });

  test('is named after a day, and its pairs with the original leave the arbitrage', async () => {
    for (let step = 0; step < 2; step++) {
      clock.advanceMs(STEP_MS);
      await settle();
    }
    assert.deepEqual(await mirrors(), { Gate: 'XT', XT: null, OKX: null });
    assert.deepEqual(await pairs(), ['Gate OKX', 'OKX XT']);
    const [notice] = venueOf(running.service.audit.report(), 'Gate').notices;
    assert.deepEqual([notice?.kind, notice?.of], ['mirrors', 'XT']);
    assert.match(notice?.evidence ?? '', /^\d+ of \d+ contracts$/);
  });

  test('the tool of venues names the original, in its rows and in its text', async () => {
    const { baseUrl } = running.service;
    const { structuredContent, content } = await callTool(
      baseUrl,
      running.keys.business,
      'svc_get_exchanges',
      {},
    );
    const rows = (structuredContent?.data ?? []) as Record<string, unknown>[];
    assert.deepEqual(Object.fromEntries(rows.map((row) => [row.exchange, row.mirrors])), {
      Gate: 'XT',
      XT: null,
      OKX: null,
    });
    assert.match(content[0]?.text ?? '', /\| mirrors \|\n.*\n\| Gate \|.*\| XT \|\n/);
  });

  test('the page of the venue, the list of venues and their Markdown say so', async () => {
    // Visitors see what was published 15 minutes ago.
    clock.advanceMs(16 * MINUTE_MS);
    await collectOnce(running);
    for (const path of ['/exchanges/Gate', '/exchanges/Gate.md'])
      assert.match(await pageAt(path), /settled rates equal those of XT to the digit/, path);
    assert.doesNotMatch(await pageAt('/exchanges/XT'), /to the digit/);
    assert.match(await pageAt('/exchanges'), /copies XT/);
    const [venues] = markdownTables(await pageAt('/exchanges.md'));
    assert.equal(venues?.find(({ exchange }) => exchange === 'Gate')?.mirrors, 'XT');
    assert.match(await pageAt('/accuracy'), /settled rates equal those of XT to the digit/);
  });

  test('a restart goes on from what is stored', async () => {
    await running.stop();
    running = await runService(options);
    running.sim.setFaults('gate', { copiesRatesOf: 'xt' });
    await collectOnce(running);
    assert.deepEqual(await mirrors(), { Gate: 'XT', XT: null, OKX: null });
    assert.deepEqual(await pairs(), ['Gate OKX', 'OKX XT']);
  });

  test('is named no longer once its rates are its own', async () => {
    running.sim.setFaults('gate', {});
    clock.advanceMs(STEP_MS);
    await settle();
    assert.deepEqual(await mirrors(), { Gate: null, XT: null, OKX: null });
    assert.deepEqual(await pairs(), ALL_PAIRS);
  });
});
