import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseArguments } from './arguments.ts';
import { candidates } from './completion.ts';
import { OPERATION_COMMANDS } from './generated.ts';
import { OUTPUT_OPTIONS } from './options.ts';

const flagsOf = (name: string) => [
  ...(OPERATION_COMMANDS.find((one) => one.name === name)?.parameters ?? []),
  ...OUTPUT_OPTIONS,
];
const parsed = (name: string, line: string) => parseArguments(line.split(' '), flagsOf(name));

suite('arguments of the command line', () => {
  for (const [name, line, expected] of [
    ['funding', '--coin BTC --coin=ETH,SOL', { coin: 'BTC,ETH,SOL' }],
    ['funding', '--min-rate-pct -0.5 --max_apr_pct=3', { min_rate_pct: '-0.5', max_apr_pct: '3' }],
    ['funding', '--is-inverse --json', { is_inverse: 'true', json: 'true' }],
    ['funding', '--is-inverse false --no-color', { is_inverse: 'false', color: 'false' }],
    ['funding', '--no-is-inverse --watch', { is_inverse: 'false', watch: '' }],
    ['funding', '--watch=2.5 --sort apr_desc', { watch: '2.5', sort: 'apr_desc' }],
    ['coin-funding', 'BTC --fields exchange,rate_pct', { coin: 'BTC', fields: 'exchange,rate_pct' }],
    ['funding-history', '--resolution settlement BTC', { coin: 'BTC', resolution: 'settlement' }],
    [
      'arbitrage-history',
      '--coin BTC OKX Binance',
      { coin: 'BTC', long_exchange: 'OKX', short_exchange: 'Binance' },
    ],
    ['coin-funding', '-h', { help: 'true' }],
    ['coin-funding', '-- --BTC', { coin: '--BTC' }],
  ] as const) {
    test(`${name} ${line}`, () => assert.deepEqual(parsed(name, line), expected));
  }

  for (const [name, line, expected] of [
    ['funding', '--coinn BTC', 'there is no flag --coinn; did you mean --coin, --color or --csv?'],
    ['funding', '--min-arp-pct 3', /no flag --min-arp-pct; did you mean --min-apr-pct,/],
    ['funding', '--sort apr_dsc', '--sort cannot be "apr_dsc"; did you mean apr_asc, apr_desc or rate_asc?'],
    ['funding', '--fields symbol,apr', /--fields cannot be "apr"; did you mean/],
    ['funding', '--min-apr-pct ten', '--min-apr-pct must be a number; got "ten"'],
    ['funding', '--limit', '--limit needs a value'],
    ['funding', '--limit --json', '--limit needs a value'],
    ['funding', '--is-inverse=maybe', '--is-inverse must be true or false; got "maybe"'],
    ['funding', '--limit 1 --limit 2', '--limit is given twice'],
    ['funding', 'BTC', 'there is one argument too many: "BTC"'],
    ['coin-funding', '--json', /^coin is required: /],
    ['funding-history', '--json', /^--coin is required: /],
  ] as const) {
    test(`${name} ${line} is refused`, () =>
      assert.throws(() => parsed(name, line), { name: 'Error', message: expected }));
  }
});

suite('completion', () => {
  const commands = new Map(OPERATION_COMMANDS.map(({ name }) => [name, flagsOf(name)]));
  for (const [line, expected] of [
    ['fund', ['funding', 'funding-history', 'funding-running']],
    ['funding --min-r', ['--min-rate-pct']],
    ['funding --sort apr', ['apr_desc', 'apr_asc']],
    ['funding --fields symbol,apr', ['symbol,apr_pct']],
    ['funding --coin B', []],
    ['funding --json --sor', ['--sort']],
    ['completion b', ['bash']],
    ['nothing --', []],
  ] as const) {
    test(line, () => assert.deepEqual(candidates(line.split(' '), commands), expected));
  }
});
