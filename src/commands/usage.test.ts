import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { accountsCommand } from './accounts/accounts.ts';
import { assistantsCommand } from './assistants.ts';
import { backtestCommand } from './backtest.ts';
import { backupCommand } from './backup.ts';
import { type Command, isExpected } from './command.ts';
import { forecastsCommand } from './forecasts/forecasts.ts';
import { historyCommand } from './history/history.ts';
import { keysCommand } from './keys.ts';
import { lakeCommand } from './lake/lake.ts';
import { listingsCommand } from './listings.ts';
import { restoreCommand } from './restore.ts';
import { secretsCommand } from './secrets.ts';
import { serve } from './serve.ts';
import { venuesCommand } from './venues.ts';

const folder = mkdtempSync(join(tmpdir(), 'perpwire-usage-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'file');
writeFileSync(file, '');
const STORE = ['--data-dir', join(folder, 'data')];

const COMMANDS = {
  serve,
  keys: keysCommand,
  accounts: accountsCommand,
  secrets: secretsCommand,
  listings: listingsCommand,
  history: historyCommand,
  lake: lakeCommand,
  backtest: backtestCommand,
  forecasts: forecastsCommand,
  assistants: assistantsCommand,
  backup: backupCommand,
  restore: restoreCommand,
  venues: venuesCommand,
} satisfies Record<string, Command>;

const WRONG: readonly (readonly [keyof typeof COMMANDS, readonly string[], RegExp])[] = [
  ['serve', ['now'], /^unexpected argument "now"/],
  ['serve', ['--prot', '1'], /^unknown flag --prot;/],
  ['serve', ['--port'], /^--port needs a value$/],
  ['keys', [], /^name an action: keys has create, list, rotate and revoke; see perpwire keys --help$/],
  ['keys', ['drop'], /^there is no action "drop": keys has create/],
  ['keys', ['create'], /^keys create needs --account/],
  ['keys', ['create', '--account'], /^--account needs a value$/],
  ['keys', ['create', '--test=yes'], /^--test takes no value$/],
  ['keys', ['create', 'bot', '--account', 'x'], /^keys create takes no argument "bot"/],
  ['keys', ['create', '--account', 'x', '--days', 'ten'], /^--days takes a whole number .* "ten"$/],
  ['keys', ['list'], /^keys list needs --account/],
  ['keys', ['list', '--account', 'x', ...STORE], /^there is no account "x"; see perpwire accounts list$/],
  ['accounts', ['suspend'], /^accounts suspend needs ACCOUNT: its id or e-mail address$/],
  ['accounts', ['suspend', 'x', 'y'], /^accounts suspend ACCOUNT takes no argument "y"/],
  ['accounts', ['suspend', 'x', ...STORE], /^there is no account "x"; see perpwire accounts list$/],
  ['accounts', ['delete', 'x'], /^accounts delete x ends its keys.*; confirm it with --yes$/],
  ['accounts', ['erase', 'x'], /^accounts erase x deletes it and all.*; confirm it with --yes$/],
  ['accounts', ['revoke-keys', 'x'], /^accounts revoke-keys x revokes all its keys; confirm it with --yes$/],
  ['accounts', ['log', '--limit', 'all'], /^--limit takes a whole number from 1 to 999999; it is "all"$/],
  ['forecasts', [], /^name an action: forecasts has score; see perpwire forecasts --help$/],
  ['forecasts', ['score'], /^forecasts score needs --prints FILE$/],
  ['forecasts', ['score', 'x'], /^forecasts score takes no argument "x"/],
  [
    'forecasts',
    ['score', '--prints', file, '--from', 'May'],
    /^--from takes a date such as 2026-02-01; it is "May"$/,
  ],
  ['lake', [], /^name an action: lake has build, pull, verify and prune; see perpwire lake --help$/],
  ['lake', ['build', 'now'], /^lake build takes no argument "now"/],
  ['lake', ['build', '--day', 'May'], /^--day takes a day such as 2026-11-17; it is "May"$/],
  ['lake', ['verify', 'x'], /^lake verify takes no argument "x"/],
  ['lake', ['pull', ...STORE], /^lake pull needs URL: the address of another installation$/],
  ['lake', ['pull', 'http://x', 'y'], /^lake pull takes no argument "y"/],
  ['lake', ['pull', 'ftp://x', ...STORE], /^lake pull takes an http or https address; it is "ftp:/],
  ['lake', ['pull', 'http://x', ...STORE], /^lake pull needs a key of the other installation.*LAKE_KEY$/],
  ['lake', ['pull', 'http://x', '--since', 'x', ...STORE], /^--since takes a day such as/],
  ['lake', ['prune', '--before', 'x'], /^--before takes a day such as 2026-11-17; it is "x"$/],
  ['lake', ['build', '--day', '2026-02-31'], /^--day takes a day/],
  ['lake', ['build', '--lake-url', 'ftp://x', ...STORE], /^--lake-url takes a folder or a file URL/],
  ['assistants', [], /^assistants takes one folder: perpwire assistants FOLDER --base-url URL$/],
  ['assistants', ['a', 'b'], /^assistants takes one folder/],
  ['assistants', [folder], /^assistants needs the public address of the service: --base-url URL/],
  ['assistants', [folder, '--base-url', 'perpwire'], /^--base-url takes an http or https address/],
  ['assistants', [folder, '--base-url', 'http://perpwire.example'], /^directories list https addresses only/],
  ['assistants', [file, '--base-url', 'https://perpwire.example'], /^cannot write .*: /],
  ['secrets', [], /^name an action: secrets has status and rotate; see perpwire secrets --help$/],
  ['secrets', ['rotate', 'now'], /^secrets rotate takes no argument "now"/],
  ['secrets', ['rotate', '--discard-old'], /^--discard-old goes with --signing; add it$/],
  ['secrets', ['rotate', '--signing', '--discard-old'], /^--discard-old signs everybody out.*--yes$/],
  ['keys', ['rotate'], /^keys rotate needs KEY/],
  ['keys', ['rotate', 'x', 'y'], /^keys rotate KEY takes no argument "y"/],
  ['keys', ['revoke', 'nope', ...STORE], /^there is no key "nope…"; see perpwire keys list/],
  ['accounts', ['drop'], /^there is no action "drop": accounts has create, set-plan, list, suspend, /],
  ['accounts', ['create', ...STORE], /^accounts create needs --name/],
  ['accounts', ['create', 'me'], /^accounts create takes no argument "me"/],
  ['accounts', ['create', '--name', 'a', '--email', 'b', ...STORE], /^"b" is not an e-mail address/],
  ['accounts', ['set-plan', 'x'], /^accounts set-plan needs ACCOUNT .* and --plan PLAN$/],
  ['accounts', ['set-plan', 'x', '--plan', 'gold'], /^--plan takes demo, .*; it is "gold"$/],
  ['accounts', ['set-plan', 'x', '--plan', 'pro', ...STORE], /^there is no account "x"; see/],
  ['accounts', ['list', 'all'], /^accounts list takes no argument "all"/],
  ['accounts', ['list', '--data-dir', join(file, 'x')], /^Cannot create the folder .*file\/x/],
  ['listings', ['review', 'all'], /^listings review takes no argument "all"/],
  ['listings', ['review', '--days', '0'], /^--days takes a whole number from 1 to 9999; it is "0"$/],
  ['history', ['drop'], /^there is no action "drop": history has backfill, export, import and status/],
  ['history', ['backfill', 'okx'], /^history backfill takes no argument "okx"/],
  ['history', ['backfill', '--days', 'x'], /^--days takes a whole number from 1 to 3650; it is "x"$/],
  [
    'history',
    ['export', '--out', join(folder, 'no/x.csv'), ...STORE],
    /^cannot write .*its folder does not exist; choose another --out$/,
  ],
  [
    'history',
    ['export', '--out', folder, ...STORE],
    /^cannot write .*: it is a folder; choose another --out$/,
  ],
  [
    'history',
    ['export', '--out', join(folder, 'no/x.parquet'), ...STORE],
    /^cannot write .*x\.parquet: its folder/,
  ],
  ['history', ['import', folder, ...STORE], /is a folder; name a file$/],
  ['history', ['status', 'okx'], /^history status takes no argument "okx"/],
  ['backtest', ['rebuild', 'all'], /^backtest rebuild takes no argument "all"/],
  ['backup', [], /^backup takes one file: perpwire backup FILE$/],
  ['restore', [file, file], /^restore takes one file: perpwire restore FILE$/],
  ['venues', ['sides', 'okx', 'gate'], /^venues sides takes no argument "gate"/],
  ['venues', ['sides', 'nyse', ...STORE], /^there is no venue "nyse"; choose from binance, /],
  ['venues', ['sides', '--counts', 'both'], /^venues sides needs VENUE with --counts/],
  ['venues', ['sides', 'okx', '--counts', 'two'], /^--counts takes both, one or release; it is "two"$/],
  ['venues', ['sides', 'okx', '--figure', 'oi'], /^--figure takes open-interest or volume; it is "oi"$/],
  [
    'venues',
    ['sides', 'binance', '--counts', 'both', ...STORE],
    /^no call of Binance gives its open interest, so there is nothing to halve$/,
  ],
  ['venues', ['check', 'okx'], /^venues check takes no argument "okx"/],
  ['venues', ['check', '--venues', 'nyse'], /^there is no venue "nyse"; choose from binance, /],
];

suite('wrong usage of commands', () => {
  for (const [name, args, message] of WRONG) {
    const typed = [name, ...args].join(' ').replaceAll(folder, '');
    test(`perpwire ${typed} fails with one sentence`, async () => {
      await assert.rejects(COMMANDS[name].run(args), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /\n/);
        return isExpected(error);
      });
    });
  }
});
