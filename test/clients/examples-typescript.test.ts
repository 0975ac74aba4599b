import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fillEveryPart, type Rest, startRest } from '../rest/rest-service.ts';
import { collectOnce, until } from '../support/service.ts';
import { buildPackage } from './built-package.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
type Row = Readonly<Record<string, unknown>>;

/** Receives what programs send: Telegram messages and alerts. */
class Receiver {
  readonly received: { path: string; body: Row }[] = [];
  /** The status of the next answers; 200 after the last. */
  readonly statuses: number[] = [];
  readonly #server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const status = this.statuses.shift() ?? 200;
      if (status === 200) this.received.push({ path: request.url ?? '', body: JSON.parse(text) as Row });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: status === 200, parameters: { retry_after: 0 } }));
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

suite('the TypeScript examples', () => {
  let rest: Rest;
  let project: string;
  const receiver = new Receiver();
  let receiverUrl: string;
  const started: ChildProcess[] = [];
  before(async () => {
    rest = await startRest({ venues: ['binance', 'okx'], coins: 10 });
    await fillEveryPart(rest);
    // Rows of the arbitrage need the order books of the samples.
    await rest.service.publisher.publish(rest.clock.nowMs());
    receiverUrl = await receiver.start();
    project = mkdtempSync(join(tmpdir(), 'perpwire-examples-'));
    cpSync(EXAMPLES, project, { recursive: true });
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    await buildPackage(join(project, 'node_modules/perpwire'));
  });
  after(async () => {
    for (const child of started) child.kill('SIGKILL');
    receiver.stop();
    await rest.stop();
    rmSync(project, { recursive: true, force: true });
  });

  function start(program: string, args: readonly string[] = [], more: Record<string, string> = {}) {
    const env = { PERPWIRE_API_KEY: rest.keys.business, PERPWIRE_BASE_URL: rest.service.baseUrl, ...more };
    const child = spawn(process.execPath, [program, ...args], { cwd: project, env });
    started.push(child);
    const printed = { out: '', err: '' };
    child.stdout.on('data', (text) => {
      printed.out += text;
    });
    child.stderr.on('data', (text) => {
      printed.err += text;
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    return { child, printed, ended };
  }
  const dataOf = async (path: string) =>
    ((await rest.get(`/api/v1${path}`, { plan: 'business' })).body as { data: unknown }).data;

  test('each has a line in the README', () => {
    const readme = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
    for (const file of globSync('*.ts', { cwd: EXAMPLES })) assert.ok(readme.includes(`](${file})`), file);
  });

  test('funding-arbitrage-scanner ranks the pairs that earn enough', async () => {
    const { pairs } = (await dataOf(
      '/arbitrage?min_net_apr_pct=1&min_capacity_usd=100&asset_class=crypto',
    )) as {
      pairs: { coin: string; long_exchange: string; short_exchange: string; carry_pct_day: number }[];
    };
    assert.ok(pairs.length > 0);
    const scan = start('funding-arbitrage-scanner.ts', ['100', '1']);
    assert.equal(await scan.ended, 0, scan.printed.err);
    const lines = scan.printed.out.split('\n').filter((line) => line.includes(': long '));
    assert.equal(lines.length, Math.min(20, pairs.length));
    for (const [i, pair] of pairs.slice(0, 20).entries()) {
      const line = lines[i] ?? '';
      assert.ok(
        line.includes(`${pair.coin}: long ${pair.long_exchange}, short ${pair.short_exchange}`),
        line,
      );
      const usdPerDay = Number(pair.carry_pct_day.toFixed(2));
      assert.ok(line.includes(` ${usdPerDay} `), `100 USD earn ${usdPerDay} USD a day: ${line}`);
    }
    const none = start('funding-arbitrage-scanner.ts', ['1000000000']);
    assert.equal(await none.ended, 0);
    assert.match(none.printed.out, /^No pair earns 10 % a year/);
  });

  for (const [name, env] of [
    ['TELEGRAM_TOKEN', { TELEGRAM_CHAT: '42' }],
    ['TELEGRAM_CHAT', { TELEGRAM_TOKEN: 'token' }],
  ] as const) {
    test(`listings-to-telegram without ${name} says so and ends`, async () => {
      const without = start('listings-to-telegram.ts', [], { ...env });
      assert.equal(await without.ended, 2);
      assert.match(without.printed.err, new RegExp(`^Set ${name}: `));
    });
  }

  test('a program without a key or an address is told which', async () => {
    const noKey = start('spread-alerts.ts', [], { PERPWIRE_API_KEY: '' });
    assert.equal(await noKey.ended, 1);
    assert.match(noKey.printed.err, /apiKey is missing/);
    const noAddress = start('spread-alerts.ts', [], { PERPWIRE_BASE_URL: '' });
    assert.equal(await noAddress.ended, 1);
    assert.match(noAddress.printed.err, /baseUrl must be an address such as https:\/\/perpwire\.example/);
  });

  test('listings-to-telegram sends what was listed since its last run, once', async () => {
    const env = { TELEGRAM_TOKEN: 'token', TELEGRAM_CHAT: '42', TELEGRAM_URL: receiverUrl };
    const first = start('listings-to-telegram.ts', [], env);
    const file = join(project, 'listings-seen.json');
    const stored = () => JSON.parse(readFileSync(file, 'utf8')) as { id: string; rows: Row[] };
    await until(() => globSync('listings-seen.json', { cwd: project }).length > 0, 'the first update');
    first.child.kill();
    await first.ended;
    assert.equal(receiver.received.length, 0, 'the first run reports nothing');
    const { id, rows } = stored();
    assert.ok(rows.length > 2);
    const [newest, ...others] = rows;
    writeFileSync(file, JSON.stringify({ id: '2026-01-01T00:00:00Z', rows: others }));
    receiver.statuses.push(429);
    const second = start('listings-to-telegram.ts', [], env);
    await until(() => stored().id === id, 'the update after the restart');
    second.child.kill();
    const [message] = receiver.received.splice(0);
    assert.equal(message?.path, '/bottoken/sendMessage');
    assert.equal(message?.body.chat_id, '42');
    const what = newest?.kind === 'listing' ? 'lists' : 'delists';
    assert.ok(String(message?.body.text).startsWith(`${newest?.exchange} ${what} ${newest?.symbol} at `));
    assert.deepEqual(stored().rows, rows);
    assert.equal(receiver.received.length, 0, 'one message');
  });

  test('spread-alerts reports when a pair opens and closes', async () => {
    const [best] = (await dataOf('/spreads?sort=net_spread_desc&limit=1')) as {
      coin: string;
      net_spread_pct: number;
    }[];
    assert.ok(best && best.net_spread_pct > 0, 'a pair that is open');
    const limit = String(best.net_spread_pct * 0.9);
    const bot = start('spread-alerts.ts', [limit], { ALERT_URL: `${receiverUrl}/alerts` });
    await until(() => receiver.received.length > 0, 'the first alert');
    assert.match(
      String(receiver.received[0]?.body.text),
      /^OPEN \S+ \S+ [\d.]+ % after fees: buy on .* at .*, sell on .* at /,
    );
    assert.ok(bot.printed.out.startsWith(`OPEN ${best.coin} `));
    const isClosed = () =>
      receiver.received.some(({ body }) => String(body.text).startsWith(`CLOSED ${best.coin} `));
    const pump = setInterval(() => rest.clock.advanceMs(300), 5);
    await until(async () => {
      rest.clock.advanceMs(3_600_000);
      await collectOnce(rest);
      return isClosed();
    }, 'the alert that the pair is closed').finally(() => clearInterval(pump));
    assert.equal(bot.printed.err, '');
  });
});
