import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { killStarted, perpwire, startPerpwire } from '../support/process.ts';
import { until } from '../support/until.ts';

interface Ready {
  ready: boolean;
  base_url: string;
  admin_url: string;
  sim_url: string;
  keys: Record<'demo' | 'developer' | 'pro' | 'business', string>;
}

async function startDemo(folder: string) {
  const flags = ['--port', '0', '--coins', '25', '--seed', '7', '--data', folder];
  const running = startPerpwire(['demo', ...flags]);
  let errors = '';
  running.child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const ready = JSON.parse(await running.line((line) => line.startsWith('{"ready"'))) as Ready;
  return { running, ready, errors: () => errors };
}

async function get(ready: Ready, path: string, key: string) {
  const reply = await fetch(`${ready.base_url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return {
    status: reply.status,
    body: (await reply.json()) as {
      data: Record<string, unknown>[];
      meta: { as_of: string; delayed_seconds: number };
    },
  };
}

/** Of Linux. */
function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

after(killStarted);

/** A little more than between two snapshots of the demo's past: a slow start is served what the last step gave. */
const STEP_SECONDS = 480;

suite('npm run demo', () => {
  test('a simulator that dies while the past is collected ends the demo with a message and exit code 1', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-demo-'));
    const { child, ended, lines } = startPerpwire([
      ...['demo', '--port', '0', '--coins', '8', '--data', folder],
    ]);
    let errors = '';
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    await until(() => readdirSync(folder).length > 0, 'the service');
    const [simulator] = childrenOf(child.pid ?? 0);
    assert.ok(simulator, 'the process of the simulator');
    process.kill(simulator, 'SIGKILL');
    assert.equal(await ended, 1);
    assert.match(errors, /^perpwire: the simulator ended \(SIGKILL\), and the demo with it$/m);
    assert.ok(!lines.some((line) => line.startsWith('{"ready"')));
    rmSync(folder, { recursive: true, force: true });
  });

  test('every plan has a working key, Demo reads data of 900 s ago; the demo stops cleanly and restarts on its data and keys', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-demo-'));
    const first = await startDemo(folder);
    assert.match(first.running.lines[0] ?? '', /^Starting a simulator of all venues/);
    assert.equal(first.errors(), '', 'what a person reads comes before any line of the log');
    const live = await get(first.ready, '/api/v1/funding?limit=10', first.ready.keys.pro);
    assert.equal(live.status, 200);
    assert.equal(live.body.data.length, 10);
    const delayed = await get(first.ready, '/api/v1/funding', first.ready.keys.demo);
    assert.equal(delayed.status, 200);
    assert.equal(delayed.body.meta.delayed_seconds, 900);
    const lagSeconds = (Date.now() - Date.parse(delayed.body.meta.as_of)) / 1000;
    assert.ok(lagSeconds >= 900 && lagSeconds < 900 + STEP_SECONDS, `${lagSeconds} s`);
    for (const [plan, lagMin, lagMax] of [
      ['pro', 0, STEP_SECONDS],
      ['demo', 900, 900 + STEP_SECONDS],
    ] as const) {
      const spreads = await get(first.ready, '/api/v1/spreads', first.ready.keys[plan]);
      assert.equal(spreads.status, 200);
      assert.equal(spreads.body.data.length, plan === 'demo' ? 50 : 100);
      const lag = (Date.now() - Date.parse(spreads.body.meta.as_of)) / 1000;
      assert.ok(lag >= lagMin && lag < lagMax, `/spreads of ${plan} is ${lag} s old`);
    }
    const exchanges = await get(first.ready, '/api/v1/exchanges', first.ready.keys.developer);
    for (const exchange of exchanges.body.data)
      assert.equal(
        Number(exchange.tracked_instruments) > 5,
        exchange.trading_enabled,
        `all but venues that have ended: ${JSON.stringify(exchange)}`,
      );

    assert.equal(await (await fetch(`${first.ready.admin_url}/healthz`)).text(), 'ok\n');
    assert.equal((await fetch(`${first.ready.admin_url}/readyz`)).status, 200);
    // The collector's thread sends its metrics every five seconds.
    await until(async () => {
      const metrics = await (await fetch(`${first.ready.admin_url}/metrics`)).text();
      return /perpwire_snapshot_rows [1-9]/.test(metrics);
    }, 'rows in the metrics of the snapshot');
    const checked = await perpwire([
      'venues',
      'check',
      '--venues',
      'binance,hyperliquid',
      '--venues-url',
      first.ready.sim_url,
      '--seconds',
      '1',
    ]);
    assert.equal(checked.code, 0, checked.stderr);
    assert.match(checked.stdout, /Binance +yes +\d+/);
    assert.match(checked.stdout, /Hyperliquid +yes/);

    first.running.child.kill('SIGINT');
    assert.equal(await first.running.ended, 0, 'Ctrl-C stops cleanly');
    const second = await startDemo(folder);
    assert.equal((await get(second.ready, '/api/v1/coins?q=BT', second.ready.keys.demo)).status, 200);
    assert.equal(
      (await get(second.ready, '/api/v1/coins', first.ready.keys.demo)).status,
      200,
      'keys of an earlier run still work',
    );
    second.running.child.kill('SIGTERM');
    assert.equal(await second.running.ended, 0);
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [flags, message] of [
    [['--coins', 'many'], /--coins takes a whole number from 1 to 999999; it is "many"/],
    [['--venues', 'nyse'], /no venue "nyse"; choose from .*binance/],
    [['--prot', '1'], /unknown flag --prot/],
    [['--port', 'http'], /--port takes a whole number from 0 to 65535; it is "http"/],
    [['now'], /demo takes no argument "now"/],
  ] as const) {
    test(`demo ${flags.join(' ')} names the fault and starts nothing`, async () => {
      const finished = await perpwire(['demo', ...flags]);
      assert.equal(finished.code, 1);
      assert.match(finished.stderr, message);
      assert.doesNotMatch(finished.stderr, /\n\s+at /, 'no stack');
    });
  }
});
