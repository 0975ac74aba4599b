import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { cutProxy } from '../cluster/cut-proxy.ts';
import type { Rest } from '../rest/rest-service.ts';
import { findPython } from '../support/python.ts';
import { rowsOf } from '../support/service.ts';
import { startFilledRest } from './client-service.ts';
import { startControl } from './python-control.ts';
import { NO_JUPYTER, notebookOutputs, output } from './python-programs.ts';

const root = join(import.meta.dirname, '../..');
const client = join(root, 'clients/python');
const examples = join(root, 'examples');
const python = await findPython();
/** Kept between runs: without it, mypy reads the types of httpx and of the standard library anew. */
const TYPE_CACHE = join(root, 'node_modules/.cache/mypy');

interface Pairs {
  data: { pairs: Readonly<Record<string, unknown>>[] };
}

suite('the Python client', { skip: python.path === null && python.reason }, () => {
  const program = python.path ?? '';
  let rest: Rest;
  let folder: string;
  let readme: string;
  before(async () => {
    rest = await startFilledRest();
    folder = mkdtempSync(join(tmpdir(), 'perpwire-python-'));
    readme = join(folder, 'readme.py');
    const text = readFileSync(join(client, 'README.md'), 'utf8');
    // Later programs continue the first.
    const programs = text.matchAll(/```python\n([\s\S]*?)```/g).map(([, program]) => program);
    writeFileSync(readme, [...programs].join('\n'));
  });
  after(async () => {
    await rest.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('client, tests, examples and the programs of the README pass mypy --strict', async () => {
    const files = ['src', 'tests', readme, join(examples, 'delta_neutral_check.py')];
    await output(program, ['-m', 'mypy', '--cache-dir', TYPE_CACHE, ...files], { cwd: client });
  });

  test('its own tests pass against the service', async (t: TestContext) => {
    const streams = await cutProxy(t, Number(new URL(rest.service.baseUrl).port));
    const control = await startControl(rest, streams);
    try {
      const text = await output(program, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], {
        cwd: client,
        env: {
          PYTHONPATH: 'src',
          PERPWIRE_BASE_URL: rest.service.baseUrl,
          PERPWIRE_TEST_CONTROL: control.url,
          PERPWIRE_TEST_PROXY: control.proxyUrl,
          PERPWIRE_TEST_STREAMS: `http://127.0.0.1:${streams.port}`,
          PERPWIRE_TEST_KEYS: JSON.stringify(rest.keys),
        },
      });
      t.diagnostic(text.trim().split('\n').at(-1) ?? '');
      assert.match(text, /\d+ passed/);
      assert.doesNotMatch(text, /skipped/);
    } finally {
      await control.stop();
    }
  });

  suite('as a package', () => {
    let installed: string;
    before(async () => {
      const copy = join(folder, 'source');
      cpSync(client, copy, { recursive: true });
      const offline = ['--no-index', '--no-deps', '--disable-pip-version-check', '--quiet'];
      const wheels = join(folder, 'wheels');
      const env = { PIP_ROOT_USER_ACTION: 'ignore', PIP_NO_CACHE_DIR: '1' };
      const build = ['-m', 'pip', 'wheel', '--no-build-isolation', ...offline, '-w', wheels, copy];
      await output(program, build, { cwd: folder, env });
      const place = join(folder, 'venv');
      await output(program, ['-m', 'venv', '--system-site-packages', '--without-pip', place]);
      installed = join(place, 'bin/python');
      const wheel = join(wheels, 'perpwire-1.0.0-py3-none-any.whl');
      await output(program, ['-m', 'pip', '--python', installed, 'install', ...offline, wheel], { env });
    });

    test('has its modules and the marker of its types, and needs httpx only', async () => {
      const script = `
import importlib.metadata, pathlib, perpwire
print(pathlib.Path(perpwire.__file__).with_name("py.typed").exists())
print(importlib.metadata.requires("perpwire"))
print(perpwire.__file__)`;
      const lines: string[] = (await output(installed, ['-c', script], { cwd: folder })).trim().split('\n');
      assert.equal(lines[0], 'True');
      assert.match(
        lines[1] ?? '',
        /^\['httpx ?\(?>=0.23\)?', "pyarrow.*extra == 'lake'", "pandas.*extra == 'pandas'"\]$/,
      );
      assert.ok(lines[2]?.startsWith(folder));
    });

    test('the programs of the README run', async () => {
      const env = { PERPWIRE_API_KEY: rest.keys.pro, PERPWIRE_BASE_URL: rest.service.baseUrl };
      const text = await output(installed, [readme], { cwd: folder, env });
      const lines = text.trim().split('\n');
      assert.match(lines[0] ?? '', /^(Binance|OKX|Kraken) \S+ -?[\d.e-]+ \d+ \d{4}-.*Z$/);
      const { meta } = (await rest.get('/api/v1/funding?limit=1')).body as { meta: { total: number } };
      assert.equal(lines.filter((line) => /^(Binance|OKX|Kraken) /.test(line)).length, 5 + meta.total);
      assert.match(text, /^unknown-coin \[.*'BTC'/m);
      assert.match(text, /^mean +-?[\d.]+/m, 'what pandas says about a week of prints');
      assert.match(text, /Z \S+ 5 rows changed\n/);
      assert.match(text, new RegExp(`^${meta.total} contracts, \\d+ coins$`, 'm'));
    });
  });

  suite('the examples', () => {
    const env = () => ({
      PYTHONPATH: join(client, 'src'),
      PERPWIRE_API_KEY: rest.keys.pro,
      PERPWIRE_BASE_URL: rest.service.baseUrl,
    });
    const rows = async (path: string) => rowsOf(await rest.get(`/api/v1${path}`));

    suite('delta_neutral_check.py', () => {
      const check = async (positions: readonly string[], code: number) => {
        const file = join(folder, 'positions.csv');
        writeFileSync(file, ['exchange,venue_symbol,size', ...positions].join('\n'));
        return await output(program, [join(examples, 'delta_neutral_check.py'), file], { env: env(), code });
      };

      test('a hedged coin is neutral, and its funding is what both legs exchange', async () => {
        const text = await check(['OKX,BTC-USDT-SWAP,0.5', 'Binance,BTCUSDT,-0.5'], 0);
        const legs = (await rows('/funding?coin=BTC&exchange=OKX,Binance')).filter(
          ({ symbol }) => symbol === 'BTC-USDT',
        );
        const funding = legs.reduce((sum, leg) => {
          const [price, rate, hours] = [
            Number(leg.mark_price),
            Number(leg.rate_pct),
            Number(leg.interval_hours),
          ];
          const size = leg.exchange === 'OKX' ? 0.5 : -0.5;
          return sum - ((size * price * rate) / 100) * (24 / hours);
        }, 0);
        assert.equal(legs.length, 2);
        assert.ok(text.includes(`${funding.toFixed(2)} USDT`), `${funding} in ${text}`);
        assert.doesNotMatch(text, / off: /);
      });

      test('a coin that is not hedged is named with what to trade', async () => {
        const text = await check(
          ['OKX,BTC-USDT-SWAP,0.5', 'Binance,BTCUSDT,-0.25', 'OKX,ETH-USDT-SWAP,-1'],
          1,
        );
        assert.match(text, /^BTC is \+\d+\.\d % off: sell \d+ USDT$/m);
        assert.match(text, /^ETH is -100\.0 % off: buy \d+ USDT$/m);
      });

      test('a contract that does not exist is named', async () => {
        assert.match(await check(['OKX,BTX-USDT-SWAP,1'], 2), /no contract or no price: OKX BTX-USDT-SWAP/);
      });

      test('a linear and an inverse contract with the same symbol are told apart', async () => {
        const contracts = await rows('/funding?coin=BTC&exchange=Kraken,OKX');
        const named = contracts.filter(({ symbol }) => symbol === 'BTC-USD');
        const inverse = named.find(({ is_inverse }) => is_inverse === true);
        const linear = named.find(
          ({ exchange, is_inverse }) => is_inverse === false && exchange === inverse?.exchange,
        );
        assert.ok(linear && inverse, 'one venue has both under one symbol');
        const hedge = [`${linear.exchange},${linear.venue_symbol},1`, 'Binance,BTCUSDT,-1'];
        assert.doesNotMatch(await check(hedge, 0), / off: /);
      });

      test('a file without the column venue_symbol is told what it needs', async () => {
        const file = join(folder, 'positions.csv');
        writeFileSync(file, 'exchange,symbol,size\nOKX,BTC-USDT,1');
        const script = join(examples, 'delta_neutral_check.py');
        assert.match(
          await output(program, [script, file], { env: env(), code: 2 }),
          /no column venue_symbol/,
        );
      });
    });

    test('the notebooks', { skip: NO_JUPYTER }, async () => {
      const names = ['settled_carry.ipynb', 'backfill_to_data_frame.ipynb'] as const;
      const [carry = '', backfill = ''] = await notebookOutputs(folder, names, env());
      const { pairs } = ((await rest.get('/api/v1/arbitrage?sort=realised_7d_desc&limit=1')).body as Pairs)
        .data;
      const [best] = pairs;
      const start = `${best?.coin}, long ${best?.long_exchange}, short ${best?.short_exchange}: `;
      assert.ok(carry.includes(start), `${start} in ${carry}`);
      assert.match(carry, /image\/png/);
      assert.match(carry, /after costs of \d\.\d{4} %: [+-]\d/);
      const [, prints = ''] = /(\d+) prints, \1 of them new/.exec(backfill) ?? [];
      assert.ok(Number(prints) > 100, backfill);
      const [header, ...lines] = gunzipSync(readFileSync(join(folder, 'btc-funding.csv.gz')))
        .toString()
        .trim()
        .split('\n');
      assert.equal(header, 'coin,exchange,symbol,venue_symbol,is_inverse,time,rate_pct,interval_hours');
      assert.equal(lines.length, Number(prints));
      const [again = ''] = await notebookOutputs(folder, ['backfill_to_data_frame.ipynb'], env());
      assert.match(again, new RegExp(`${prints} prints, 0 of them new`));
    });
  });
});
