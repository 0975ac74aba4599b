import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fieldsOf } from '../../operations/description/fields.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { OPERATIONS } from '../../operations/registry.ts';
import { llmsText } from './llms.ts';

const DEVELOPERS = join(import.meta.dirname, '../../../docs/developers.md');
/** `### Changes` is the last section. */
const changes = readFileSync(DEVELOPERS, 'utf8').split('\n### Changes\n')[1] ?? '';

/** Fields and parameters of the first release; a bound is named by its column. */
const FIRST_RELEASE: Readonly<Record<string, string>> = {
  '/funding':
    'exchange symbol coin is_inverse rate_pct apr_pct sum_7d_pct sum_30d_pct interval_hours next_funding_at volume_24h_usdt exclude_exchange abs_rate_pct volume_usdt settles_within_minutes sort limit cursor',
  '/funding/{coin}':
    'coin venue_count spread_pct highest lowest exchange symbol rate_pct best_short_exchange best_long_exchange total_volume_24h_usdt inverse_venues rates is_inverse apr_pct sum_7d_pct sum_30d_pct interval_hours next_funding_at volume_24h_usdt exclude_exchange volume_usdt',
  '/funding/history':
    'coin resolution from to series exchange symbol daily day apr_pct settlements time rate_pct interval_hours exclude_exchange days order limit',
  '/spreads':
    'symbol coin exchange_a exchange_b spread_pct direction long_a_short_b_pct short_a_long_b_pct bid_a ask_a bid_b ask_b volume_a_usdt volume_b_usdt funding_rate_a_pct funding_rate_b_pct funding_interval_hours_a funding_interval_hours_b next_funding_at_a next_funding_at_b strength updated_at exchange exchange_match exclude_exchange volume_usdt age_seconds sort limit cursor',
  '/spreads/backtest':
    'size_usd withheld_top spreads symbol coin exchange_a exchange_b est_profit_pct avg_profit_pct fee_pct_cycle spread_range_pct cycles confidence volume_a_usdt volume_b_usdt last_cycle_at exchange exchange_match exclude_exchange profit_pct volume_usdt active_within_hours sort limit cursor',
  '/listings':
    'exchange symbol coin kind status effective_at source announcement_url detected_at exclude_exchange type from to days_ahead detected_after sort limit cursor',
  '/exchanges':
    'exchange name icon_url tracked_instruments max_leverage taker_fee_pct trading_enabled has_spot fee_url specs_url funding_url q sort',
  '/coins':
    'coin venue_count exchanges volume_24h_usdt funding_url q match exchange exchange_match venues volume_usdt sort limit cursor',
  '/usage':
    'plan key_prefix scopes month minute used limit remaining resets_at history_days delay_seconds commercial_use upgrade_url',
};

/** The names that the section has as code. `expected_*` stands for all that start so. */
const named = [...changes.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const isNamed = (name: string) =>
  named.some((one) => one === name || (one.endsWith('_*') && name.startsWith(one.slice(0, -1))));

const withoutEnd = (parameter: string) => parameter.replace(/^(?:min|max)_/, '');

function namesOf({ data, parameters, rows }: AnyOperation): string[] {
  const fields = fieldsOf(data).map(({ name }) => (name.split('.').at(-1) ?? '').replace('[]', ''));
  const sorted = Object.values(rows?.sorts ?? {}).map(({ column }) => column);
  const all = [...fields, ...Object.keys(parameters), ...sorted];
  return [...new Set(all)].filter((name) => !all.includes(withoutEnd(name)) || withoutEnd(name) === name);
}

test('llms.txt has every endpoint, and what there is besides JSON', () => {
  const context = { operations: OPERATIONS, baseUrl: 'https://perpwire.example', freePagesPerMinute: null };
  const text = llmsText(context, { tools: [], prompts: [], pages: [] });
  for (const { path } of OPERATIONS) assert.ok(text.includes(`[GET /api/v1${path}](`), path);
  for (const path of ['/developers/streams', '/lake/manifest.json', '/developers/alerts', 'format=csv'])
    assert.ok(text.includes(path), path);
});

suite('the changes of the API since its first release', () => {
  for (const operation of OPERATIONS) {
    const { path } = operation;
    const first = FIRST_RELEASE[path]?.split(' ');
    if (first === undefined)
      test(`${path} is named`, () => assert.ok(isNamed(path), `\`${path}\` is in ### Changes`));
    else
      test(`${path}: what is new is named`, () => {
        const isFirst = (name: string) => first.includes(name) || first.includes(withoutEnd(name));
        const missing = namesOf(operation).filter((name) => !isFirst(name) && !isNamed(name));
        assert.deepEqual(missing, [], `add them to ### Changes of ${DEVELOPERS}`);
      });
  }
});
