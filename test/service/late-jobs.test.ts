import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { runService, until } from '../support/service.ts';

const JOBS = [
  'snapshots',
  'arbitrage',
  'spreads',
  'listings',
  'audit',
  'depth samples',
  'backtest',
  'alerts',
  'alert deliveries',
];

/** While it is stuck, nobody wakes up: every job hangs, as one does whose timer or promise was lost. */
class StickyClock extends ManualClock {
  #stuck: PromiseWithResolvers<void> | null = null;

  override async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    await super.sleep(delayMs, signal);
    if (!signal?.aborted) await this.#stuck?.promise;
  }
  stick(): void {
    this.#stuck = Promise.withResolvers();
  }
  release(): void {
    this.#stuck?.resolve();
    this.#stuck = null;
  }
}

suite('periodic jobs', () => {
  test('one that has not finished for three periods is named by /readyz, the metric and /status until it finishes', async (t) => {
    const clock = new StickyClock(Date.UTC(2026, 10, 14, 9, 0, 5));
    const running = await runService({
      venues: ['binance', 'okx'],
      coins: 6,
      clock,
      isCollecting: true,
      settings: { SNAPSHOT_SECONDS: '20', SPREADS_SECONDS: '20' },
    });
    t.after(async () => {
      clock.release();
      clearInterval(pump);
      await running.stop();
    });
    let paceMs = 100;
    const pump = setInterval(() => clock.advanceMs(paceMs), 5);
    const { adminUrl, baseUrl } = running.service;
    const textOf = async (url: string) => (await fetch(url)).text();
    const readyz = () => textOf(`${adminUrl}/readyz`);
    const metric = async () =>
      Object.fromEntries(
        [
          ...(await textOf(`${adminUrl}/metrics`)).matchAll(/^perpwire_job_late\{name="([^"]+)"\} (\d)$/gm),
        ].map(([, job, value]) => [job, Number(value)]),
      );
    const all = (value: number) => Object.fromEntries(JOBS.map((job) => [job, value]));
    const isAll = async (value: number) => {
      const found = await metric();
      return JOBS.every((job) => found[job] === value);
    };

    const isNamed = async (job: string) => {
      const texts = [await readyz(), await textOf(`${baseUrl}/status`), await textOf(`${baseUrl}/status.md`)];
      return texts.some((text) => text.includes(`Job late: ${job}`));
    };
    await until(async () => (await isAll(0)) && (await readyz()) === 'ready\n', 'all jobs running');

    clock.stick();
    paceMs = 10_000;
    await until(() => isAll(1), 'all jobs late');
    assert.deepEqual(await metric(), all(1));
    const reply = await fetch(`${adminUrl}/readyz`);
    assert.equal(reply.status, 200, 'it still has data to serve');
    const said = await reply.text();
    const [page, twin] = [await textOf(`${baseUrl}/status`), await textOf(`${baseUrl}/status.md`)];
    for (const job of JOBS) {
      assert.match(
        said,
        new RegExp(`^Job late: ${job} has not finished for \\d+ (s|min); it runs every`, 'm'),
      );
      assert.match(page, new RegExp(`Job late: ${job} has not`));
      assert.match(twin, new RegExp(`Job late: ${job} has not`));
    }
    assert.match(said, /^Job late: backtest .* it runs every 1 min$/m);

    paceMs = 100;
    clock.release();
    await until(async () => (await isAll(0)) && !(await isNamed('')), 'all jobs finishing again');

    // One job alone, as under overload.
    paceMs = 1000;
    const shed = t.mock.method(running.service.context.load, 'sheds', (what: string) => what === 'backtest');
    await until(async () => (await metric()).backtest === 1, 'the backtest late');
    assert.match(await readyz(), /^Job late: backtest has not finished for \d+ min; it runs every 1 min$/m);
    assert.match(await textOf(`${baseUrl}/status`), /Job late: backtest/);
    shed.mock.restore();
    await until(
      async () => (await metric()).backtest === 0 && !(await isNamed('backtest')),
      'the backtest finishing again',
    );
  });
});
