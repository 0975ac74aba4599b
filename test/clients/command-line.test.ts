import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify, stripVTControlCharacters } from 'node:util';
import { answerText } from '../../clients/typescript/src/cli/answer-text.ts';
import type { Terminal } from '../../clients/typescript/src/cli/command.ts';
import { OPERATION_COMMANDS } from '../../clients/typescript/src/cli/generated.ts';
import { runCommandLine } from '../../clients/typescript/src/cli/run.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { fillEveryPart, type Rest, startRest } from '../rest/rest-service.ts';
import { onPath } from '../support/servers.ts';
import { collectOnce, until } from '../support/service.ts';

const main = join(import.meta.dirname, '../../clients/typescript/src/cli/main.ts');
const PAIR = 'BTC --long-exchange OKX --short-exchange Binance';
/** A call of every operation, and the request that has the same answer. */
const CALLS: Readonly<Record<string, [line: string, path: string]>> = {
  funding: ['--coin BTC,ETH --sort apr_desc', '/funding?coin=BTC,ETH&sort=apr_desc'],
  'coin-funding': ['BTC', '/funding/BTC'],
  'funding-history': ['--coin BTC --from 2026-11-10', '/funding/history?coin=BTC&from=2026-11-10'],
  'funding-running': ['--coin BTC --step 5m', '/funding/running?coin=BTC&step=5m'],
  'open-interest-history': [
    '--coin BTC --exchange OKX --days 1',
    '/open-interest/history?coin=BTC&exchange=OKX&days=1',
  ],
  spreads: ['--limit 3', '/spreads?limit=3'],
  'spread-backtest': ['--size-usd 500', '/spreads/backtest?size_usd=500'],
  arbitrage: ['--limit 3', '/arbitrage?limit=3'],
  'arbitrage-history': [PAIR, '/arbitrage/history?coin=BTC&long_exchange=OKX&short_exchange=Binance'],
  depth: ['--coin BTC --limit 3', '/depth?coin=BTC&limit=3'],
  'depth-history': ['--coin BTC --exchange OKX --days 1', '/depth/history?coin=BTC&exchange=OKX&days=1'],
  'forecast-accuracy': ['--days 7', '/forecasts/accuracy?days=7'],
  listings: ['', '/listings'],
  exchanges: ['', '/exchanges'],
  coins: ['--q B', '/coins?q=B'],
};

suite('the command line', () => {
  let rest: Rest;
  let home: string;
  before(async () => {
    rest = await startRest({ venues: ['binance', 'okx'], coins: 8 });
    await fillEveryPart(rest);
    home = mkdtempSync(join(tmpdir(), 'perpwire-home-'));
  });
  after(async () => {
    await rest.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** A terminal that keeps what is written. */
  function terminalOf(overrides: Partial<Terminal> = {}, screen: { isTTY?: boolean; columns?: number } = {}) {
    const written = { out: '', err: '' };
    const stop = new AbortController();
    const terminal: Terminal = {
      version: '1.2.3',
      env: { PERPWIRE_BASE_URL: rest.service.baseUrl, PERPWIRE_API_KEY: rest.keys.business },
      homeFolder: home,
      stdout: { write: (text: string) => (written.out += text), ...screen },
      stderr: { write: (text: string) => (written.err += text) },
      readSecret: () => assert.fail('no key is needed'),
      signal: stop.signal,
      ...overrides,
    };
    return { terminal, written, stop: () => stop.abort() };
  }
  const called = async (line: string, overrides: Partial<Terminal> = {}, screen = {}) => {
    const { terminal, written } = terminalOf(overrides, screen);
    const code = await runCommandLine(line.split(' ').filter(Boolean), terminal);
    return { code, ...written };
  };
  const answered = async (path: string, headers = {}) =>
    await rest.get(`/api/v1${path}`, { plan: 'business', headers });

  test('has one command for each operation', () => {
    assert.deepEqual(
      OPERATION_COMMANDS.map(({ name }) => name),
      OPERATIONS.map(({ id }) => id),
    );
    assert.deepEqual(
      [...Object.keys(CALLS), 'usage'],
      OPERATIONS.map(({ id }) => id),
    );
  });

  for (const [name, [line, path]] of Object.entries(CALLS)) {
    test(`${name}: --json is the answer of the API, --csv its CSV, and the table has its rows`, async () => {
      const json = await called(`${name} ${line} --json`);
      assert.equal(json.err, '');
      assert.deepEqual(JSON.parse(json.out), (await answered(path)).body);
      const command = OPERATION_COMMANDS.find((one) => one.name === name);
      const csv = await called(`${name} ${line} --csv`);
      if (command?.hasCsv) assert.equal(csv.out, (await answered(path, { accept: 'text/csv' })).text);
      else assert.match(csv.err, /has no rows for --csv; use --json/);
      const table = await called(`${name} ${line}`);
      assert.deepEqual([table.code, table.err], [0, '']);
      assert.match(table.out, / UTC .*Perpwire\n$/);
      for (const cell of ['BTC', 'OKX'].filter((text) => csv.out.includes(text)))
        assert.ok(table.out.includes(cell));
      const help = await called(`${name} --help`);
      for (const { name: parameter } of command?.parameters ?? [])
        assert.ok(
          help.out.includes(parameter) || help.out.includes(parameter.replaceAll('_', '-')),
          parameter,
        );
    });
  }

  test('--version, and help that names every command', async () => {
    assert.equal((await called('--version')).out, '1.2.3\n');
    for (const line of ['', 'help', '--help']) {
      const { out } = await called(line);
      for (const name of [...OPERATIONS.map(({ id }) => id), 'login', 'completion'])
        assert.match(out, new RegExp(`^  ${name} `, 'm'));
    }
  });

  test('usage is a list of values', async () => {
    const { out } = await called('usage');
    assert.match(out, /^plan {14}business$/m);
    assert.match(out, /^month\.limit {7}2,000,000$/m);
    assert.equal((await called('usage --csv')).code, 2);
  });

  test('--all reads all pages, as table, JSON and CSV', async () => {
    const { meta } = (await answered('/funding?limit=500')).body as { meta: { total: number } };
    const json = JSON.parse((await called('funding --all --limit 7 --json')).out) as {
      data: object[];
      meta: { count: number; next_cursor?: string };
    };
    assert.deepEqual(
      [json.data.length, json.meta.count, json.meta.next_cursor],
      [meta.total, meta.total, undefined],
    );
    const whole = await answered('/funding?limit=500', { accept: 'text/csv' });
    assert.equal((await called('funding --all --limit 7 --csv')).out, whole.text);
    assert.match(
      (await called('funding --limit 7')).out,
      new RegExp(`7 of ${meta.total} rows, --all shows all`),
    );
    const lines = (await called('funding --all --limit 7')).out.trimEnd().split('\n');
    assert.equal(lines.length, meta.total + 2, 'a header, the rows and the footer');
  });

  for (const [line, figures] of [
    ['funding', ['coin', 'exchange', 'rate_pct', 'apr_pct']],
    ['funding --coin BTC', ['coin', 'exchange', 'rate_pct', 'apr_pct']],
    ['coin-funding BTC', ['exchange', 'rate_pct', 'apr_pct']],
    ['spreads', ['coin', 'exchange_a', 'exchange_b', 'spread_pct', 'net_spread_pct']],
    ['arbitrage', ['coin', 'long_exchange', 'short_exchange', 'net_apr_pct']],
    ['arbitrage --coin BTC', ['coin', 'long_exchange', 'short_exchange', 'net_apr_pct']],
    [`arbitrage-history ${PAIR}`, ['day', 'net_pct', 'cumulative_pct']],
    [
      'arbitrage --sort expected_net_desc',
      ['coin', 'long_exchange', 'short_exchange', 'expected_net_apr_pct'],
    ],
    ['arbitrage --min-volume-usdt 1', ['coin', 'volume_usdt']],
    ['arbitrage --size-usd 1000', ['coin', 'long_exchange', 'short_exchange', 'entry_cost_pct']],
    ['spreads --size-usd 1000', ['coin', 'exchange_a', 'exchange_b', 'entry_cost_pct', 'exit_cost_pct']],
    ['spreads --sort net_spread_desc --size-usd 1000', ['coin', 'net_spread_pct', 'entry_cost_pct']],
    ['spreads --sort volume_desc', ['coin', 'volume_a_usdt', 'volume_b_usdt']],
    ['coin-funding BTC --size-usd 1000', ['exchange', 'symbol', 'entry_cost_pct', 'exit_cost_pct']],
    ['funding --sort sum_7d_desc', ['coin', 'exchange', 'symbol', 'sum_7d_pct', 'rate_pct']],
    [
      'funding --sort sum_7d_desc --max-open-interest-usdt 1e15',
      ['coin', 'sum_7d_pct', 'open_interest_usdt'],
    ],
    ['open-interest-history --coin BTC --step 1h', ['exchange', 'at', 'open_interest_usdt', 'premium_pct']],
    ['forecast-accuracy', ['days', 'observations', 'mean_error_bp.expected', 'coverage_pct']],
    ['listings', ['exchange', 'symbol', 'kind', 'effective_at']],
    ['exchanges', ['exchange', 'tracked_instruments', 'taker_fee_pct']],
    ['coins', ['coin', 'venue_count', 'volume_24h_usdt']],
  ] as const) {
    for (const columns of [80, 160])
      test(`${line} shows what it is asked for on ${columns} columns`, async () => {
        const { out } = await called(`${line} --no-color`, {}, { isTTY: true, columns });
        const head = out.split('\n').find((text) => text.startsWith(figures[0])) ?? '';
        for (const name of figures) assert.ok(head.split(/ +/).includes(name), `${name} is in "${head}"`);
        for (const text of out.split('\n').slice(0, -2)) assert.ok(text.length <= columns, text);
      });
  }

  for (const [id, figures] of [
    ['funding-history', ['exchange', 'symbol', 'day', 'apr_pct']],
    ['spread-backtest', ['coin', 'exchange_a', 'exchange_b', 'est_profit_pct']],
  ] as const) {
    test(`${id} shows what it is asked for on 80 columns`, () => {
      const data = OPERATIONS.find((operation) => operation.id === id)?.example;
      const command = OPERATION_COMMANDS.find(({ name }) => name === id);
      assert.ok(command);
      const { terminal } = terminalOf({}, { isTTY: true, columns: 80 });
      const meta = {
        as_of: '2026-11-15T12:00:00Z',
        delayed_seconds: 0,
        source: '',
        url: '',
        count: 1,
        total: 1,
      };
      const text = answerText({ data, meta }, command, { color: 'false' }, terminal);
      const head = text.split('\n').find((line) => line.startsWith(figures[0])) ?? '';
      for (const name of figures) assert.ok(head.split(/ +/).includes(name), `${name} is in "${head}"`);
    });
  }

  test('the names of a row come first, then what was asked about, then the usual columns', async () => {
    const headOf = async (line: string) =>
      (await called(`${line} --no-color`, {}, { isTTY: true, columns: 400 })).out
        .split('\n')
        .find((text) => text.startsWith('coin '))
        ?.split(/ +/);
    assert.deepEqual(
      (await headOf('arbitrage --size-usd 1000 --sort expected_net_desc --min-volume-usdt 1'))?.slice(0, 10),
      [
        ...['coin', 'long_exchange', 'short_exchange', 'expected_net_apr_pct', 'volume_usdt'],
        ...['entry_cost_pct', 'exit_cost_pct', 'exit_cost_worst_pct', 'fills', 'book_age_seconds'],
      ],
    );
    assert.deepEqual((await headOf('funding --sort coin_asc'))?.slice(0, 4), [
      ...['coin', 'exchange', 'symbol', 'rate_pct'],
    ]);
  });

  test('open interest is a table of its venues; the sums are counted', async () => {
    const line = 'open-interest-history --coin BTC --exchange OKX --days 1';
    const { data } = JSON.parse((await called(`${line} --json`)).out) as {
      data: { total: object[]; series: { points: object[] }[] };
    };
    const { out } = await called(line);
    assert.match(out, new RegExp(`^total +${data.total.length} rows, see --json$`, 'm'));
    const rows = out.split('\n').filter((row) => row.startsWith('OKX '));
    assert.equal(rows.length, data.series[0]?.points.length);
    assert.ok(rows.length > 0);
    assert.ok(!out.includes('{'), 'no JSON');
  });

  test('the score of the forecasts has a line for each horizon', async () => {
    const { out } = await called('forecast-accuracy', {}, { isTTY: true, columns: 80 });
    const lines = stripVTControlCharacters(out).split('\n');
    const head = lines.findIndex((line) => line.trim().startsWith('days '));
    assert.deepEqual(
      lines.slice(head + 1, head + 4).map((line) => Number(line.trim().split(/ +/)[0])),
      [1, 7, 30],
    );
    assert.ok(!out.includes('{'), 'no JSON');
  });

  test('rates carry their interval', async () => {
    const { out } = await called('funding --coin BTC --no-color', {}, { isTTY: true, columns: 80 });
    assert.match(out, /^BTC .* -?\d[\d.]*\/8h /m);
  });

  test('--all says what it costs before it starts, and how far it is', async () => {
    const stderrOf = async (line: string, key: string, isTTY: boolean) => {
      let err = '';
      const stderr = { write: (text: string) => (err += text), isTTY };
      const env = { PERPWIRE_BASE_URL: rest.service.baseUrl, PERPWIRE_API_KEY: key };
      const { code, out } = await called(line, { stderr, env });
      assert.equal(code, 0, err);
      return { err, out };
    };
    const { meta } = (await answered('/funding?limit=1')).body as { meta: { total: number } };
    const { err } = await stderrOf('funding --all --limit 10 --csv', rest.keys.pro, true);
    const more = Math.ceil(meta.total / 10) - 1;
    assert.match(
      err,
      new RegExp(
        `^perpwire: ${meta.total} rows need ${more} more requests?; \\d+ are left in this minute, [\\d,]+ this month\\n\\r10 of ${meta.total} rows`,
      ),
    );
    assert.ok(err.endsWith(`${meta.total} of ${meta.total} rows\n`));
    assert.equal((await stderrOf('coins --all', rest.keys.pro, true)).err, '', 'one page costs nothing more');
    const demo = await stderrOf('funding --all --json', rest.keys.demo, false);
    const { data } = JSON.parse(demo.out) as { data: unknown[] };
    assert.equal(data.length, meta.total, 'Demo refuses large pages, so they have 50 rows');
  });

  test('a terminal gets colours and the columns that fit; NO_COLOR and --no-color are obeyed', async () => {
    const screen = { isTTY: true, columns: 60 };
    const { out } = await called('funding --limit 3', {}, screen);
    assert.ok(out.startsWith('\x1b[1mcoin'));
    assert.match(out, /columns do not fit, see --fields or --json/);
    const plain = stripVTControlCharacters(out).split('\n');
    for (const line of plain.slice(0, 4)) assert.ok(line.length <= 60, line);
    assert.ok(!(await called('funding --limit 3 --no-color', {}, screen)).out.includes('\x1b'));
    const env = { PERPWIRE_BASE_URL: rest.service.baseUrl, PERPWIRE_API_KEY: rest.keys.pro, NO_COLOR: '1' };
    assert.ok(!(await called('funding --limit 3', { env }, screen)).out.includes('\x1b'));
    const chosen = await called(
      'funding --limit 3 --fields symbol,venue_symbol,coin,apr_pct,rate_pct,index_price',
      {},
      screen,
    );
    assert.match(chosen.out, /index_price/, 'columns that were chosen are always shown');
  });

  test('errors have the detail of the problem, close matches, the code and the request', async () => {
    const { code, err, out } = await called('coin-funding BTX');
    assert.deepEqual([code, out], [1, '']);
    assert.match(
      err,
      /^perpwire: No venue quotes "BTX".*\n {2}did you mean .*BTC.*\?\n {2}code unknown-coin, request \S+, see http/,
    );
    const wrong = await called('fundin');
    assert.deepEqual(
      [wrong.code, wrong.err],
      [2, 'perpwire: there is no command "fundin"; did you mean funding, login or coins?\n'],
    );
    for (const line of [
      'funding --json --csv',
      'funding --watch --csv',
      'funding --all --watch',
      'completion tcsh',
    ])
      assert.equal((await called(line)).code, 2, line);
  });

  test('login checks the key and stores it so that only the user can read it; logout deletes it', async () => {
    const env = { XDG_CONFIG_HOME: join(home, 'settings') };
    const { baseUrl } = rest.service;
    const file = join(home, 'settings/perpwire/config.json');
    const typed = (key: string) => ({ env, readSecret: async () => key });
    const wrong = await called(`login --base-url ${baseUrl}`, typed('pw_live_wrong'));
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /code unauthenticated/);
    assert.throws(() => statSync(file));
    const good = await called(`login --base-url ${baseUrl}/`, typed(`${rest.keys.developer}\n`));
    assert.deepEqual([good.code, good.err], [0, '']);
    assert.doesNotMatch(good.out, new RegExp(rest.keys.developer));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.match((await called('usage', { env })).out, /developer/);
    const elsewhere = await called('usage --base-url http://127.0.0.1:9', { env });
    assert.match(
      elsewhere.err,
      /there is no key for http:\/\/127\.0\.0\.1:9/,
      'the key stays with its address',
    );
    const scopes = await rest.newKey('pro', { scopes: ['funding:read'] });
    chmodSync(file, 0o644);
    assert.equal(
      (await called(`login --base-url ${baseUrl}`, typed(scopes.text))).code,
      0,
      'without the scope of usage',
    );
    assert.equal(statSync(file).mode & 0o777, 0o600, 'a file that others could read is replaced');
    await called('logout', { env });
    const after = await called('usage', { env });
    assert.deepEqual([after.code, /perpwire login/.test(after.err)], [2, true]);
  });

  test('--watch redraws from the stream of a list, and polls what has none', async () => {
    const watching = async (line: string, screen = {}) => {
      const { terminal, written, stop } = terminalOf({}, screen);
      const done = runCommandLine(line.split(' '), terminal);
      const end = () => {
        stop();
        return done;
      };
      return { written, end };
    };
    const publish = async () => {
      rest.clock.advanceMs(61_000);
      await collectOnce(rest);
    };
    const table = await watching('funding --limit 3 --fields symbol,rate_pct --sort apr_desc --watch', {
      isTTY: true,
      columns: 80,
    });
    const lines = await watching('funding --limit 3 --json --watch');
    const polled = await watching('exchanges --json --watch=0.02');
    await until(() => [table, lines, polled].every(({ written }) => written.out !== ''), 'the first updates');
    await publish();
    const pump = setInterval(() => rest.clock.advanceMs(300), 5);
    await until(
      () =>
        table.written.out.split('\u{1b}[2J').length >= 3 &&
        [lines, polled].every(({ written }) => written.out.split('\n').length >= 3),
      'the second updates',
    ).finally(() => clearInterval(pump));
    for (const one of [table, lines, polled]) assert.equal(await one.end(), 0);
    for (const { written } of [lines, polled]) {
      const [first, second] = written.out
        .split('\n')
        .map((line) => line && (JSON.parse(line) as { meta: { as_of: string } }));
      assert.ok(first && second && first.meta.as_of < second.meta.as_of);
    }
    assert.match(stripVTControlCharacters(table.written.out), /^symbol +rate_pct\n/);
  });

  /** Runs a script in a shell that finds the command. */
  async function inShell(shell: string, script: string): Promise<string> {
    const program = join(home, 'perpwire');
    writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`, { mode: 0o755 });
    const env = {
      PATH: `${home}:${process.env.PATH}`,
      HOME: home,
      PERPWIRE_BASE_URL: rest.service.baseUrl,
      PERPWIRE_API_KEY: rest.keys.pro,
    };
    return (await promisify(execFile)(shell, ['-c', script], { env })).stdout;
  }

  test('as a process: the key from the environment, a closed pipe, login from a pipe', async () => {
    const inBash = (script: string) => inShell('bash', script);
    assert.match(await inBash('set -o pipefail; perpwire funding --csv | head -1'), /^exchange,symbol,/);
    assert.match(await inBash('perpwire --version'), /^\d+\.\d+\.\d+\n$/);
    const stored = await inBash(
      `echo ${rest.keys.pro} | perpwire login && env -u PERPWIRE_API_KEY perpwire usage`,
    );
    assert.match(stored, /stored in .*\/\.config\/perpwire\/config\.json\nplan +pro\n/);
  });

  /** What each shell offers after `perpwire funding --sort apr_`. */
  const COMPLETIONS = {
    bash: `eval "$(perpwire completion bash)"; COMP_WORDS=(perpwire funding --sort apr_); COMP_CWORD=3; _perpwire; printf "%s\\n" "\${COMPREPLY[@]}"`,
    zsh: 'compdef() { :; }; compadd() { shift 2; print -l -- $@; }; eval "$(perpwire completion zsh)"; words=(perpwire funding --sort apr_); CURRENT=4; _perpwire',
    fish: 'perpwire completion fish | source; complete -C "perpwire funding --sort apr_"',
  };
  for (const [shell, script] of Object.entries(COMPLETIONS)) {
    test(`completion in ${shell}`, async (t) => {
      if (onPath(shell) === null) return t.skip(`${shell} is not installed`);
      const offered = (await inShell(shell, script)).trim().split('\n');
      assert.deepEqual(offered.toSorted(), ['apr_asc', 'apr_desc']);
    });
  }
});
