import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';
import { markdownTables } from '../web/page-text.ts';

suite('a venue that refuses the address of the service', () => {
  let running: Running;
  const log: string[] = [];
  before(async () => {
    running = await runService({
      venues: ['binance', 'okx', 'woox'],
      clock: new ManualClock(Date.UTC(2026, 10, 14, 9, 30)),
      serviceOptions: { log: createLog('warn', { write: (line: string) => log.push(line) }) },
    });
    running.sim.setFaults('okx', { errorStatus: 451 });
    running.sim.setFaults('woox', { errorStatus: 503 });
    await collectOnce(running);
  });
  after(() => running.stop());

  const textOf = async (path: string) => (await fetch(`${running.service.baseUrl}${path}`)).text();

  test('/status and its twin tell it apart from a venue that fails', async () => {
    const twin = await textOf('/status.md');
    const states = Object.fromEntries(
      (markdownTables(twin)[0] ?? []).map((row) => [String(row.exchange), String(row.state)]),
    );
    assert.deepEqual(states, { Binance: 'working', OKX: 'refuses this address', WOOX: 'no data' });
    assert.match(
      twin,
      /1 of 2 venues are giving all their data\. 1 more refuses the address of this service\./,
    );
    const page = await textOf('/status');
    assert.match(page, /<\/span>refuses this address<\/span>/);
    assert.match(page, /feed “instruments” fails: refuses this address: HTTP 451/);
  });

  test('the log and the admin port say it too', async () => {
    assert.ok(log.some((line) => line.includes('"failure":"refuses this address: HTTP 451')));
    const reports = (await (await fetch(`${running.service.adminUrl}/venues`)).json()) as {
      slug: string;
      refusesAddress?: boolean;
    }[];
    assert.deepEqual(
      reports.filter((report) => report.refusesAddress).map((report) => report.slug),
      ['okx'],
    );
  });
});
