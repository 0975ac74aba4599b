import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  errorScalePctDay,
  type HorizonModel,
  intervalOf,
  legExpectedPct,
  probabilityAbove,
  QUANTILE_LEVELS,
} from './model.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/forecast.md', import.meta.url), 'utf8');
const EXAMPLE = DOCUMENT.slice(
  DOCUMENT.indexOf('## Recompute a forecast'),
  DOCUMENT.indexOf('## Score in public'),
);

/** The rows of the tables of the example, by their first cell. */
const ROWS = new Map(
  EXAMPLE.split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .map((cells) => [cells[0] ?? '', cells]),
);

function numbersOf(name: string, from: number): number[] {
  const cells = ROWS.get(name);
  assert.ok(cells, `no row ${name}`);
  return cells.slice(from).map(Number);
}

test('each figure of the worked example in docs/forecast.md is what the program computes', () => {
  const [now = 0, day = 0, week = 0, month = 0, featureLimit = 0, jumpShare = 0, ...errors] = numbersOf(
    '0.01',
    0,
  );
  const known = new Map([0.1, 0.7, 0.8, 0.9].map((level, i) => [level, errors[i] ?? Number.NaN]));
  const model: HorizonModel = {
    ...{ days: 7, kind: 'fitted', weights: [now, day, week, month], featureLimit, jumpShare },
    // Errors that the example does not use lie between those that it does.
    quantiles: QUANTILE_LEVELS.map((level) => known.get(level) ?? level - 0.64),
  };
  const leg = (name: string) => {
    const [rate = 0, hours = 0, sum1d = 0, sum7d = 0, sum30d = 0, absolute = 0] = numbersOf(name, 1);
    const features = [(rate * 24) / hours, sum1d, sum7d / 7, sum30d / 30];
    return { features, expected: legExpectedPct(model, features, absolute / 30) };
  };
  const [long, short] = [leg('long'), leg('short')];
  const says = (pattern: RegExp, value: number, digits: number) => {
    const [, text = ''] = pattern.exec(EXAMPLE.replaceAll(/\s+/g, ' ')) ?? [];
    assert.notEqual(text, '', String(pattern));
    assert.equal(Number(text), Number(value.toFixed(digits)), String(pattern));
  };
  says(/0\.47 × 0\.012\) = ([\d.]+)\. Of the short/, long.expected, 5);
  says(/0\.47 × 0\.03\) = ([\d.]+)\. Of the pair/, short.expected, 5);
  const expected = short.expected - long.expected;
  says(/`expected_carry_7d_pct` = ([\d.]+)\. /, expected, 5);
  const x = short.features.map((value, k) => value - (long.features[k] ?? 0));
  const scale = errorScalePctDay(jumpShare, 0.024, x);
  says(/`expected_scale_pct_day` = 0\.024 \+ 0\.25 × 0\.255 = ([\d.]+)\. /, scale, 5);
  const { lowPct, highPct } = intervalOf(model, expected, scale);
  says(/`expected_low_pct` = (-[\d.]+),/, lowPct, 7);
  says(/`expected_high_pct` = ([\d.]+)\. /, highPct, 7);
  says(/`probability_net_positive` = ([\d.]+)\. /, probabilityAbove(model, expected, scale, 0.35), 4);
});
