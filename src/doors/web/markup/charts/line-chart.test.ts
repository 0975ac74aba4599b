import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { VENUES } from '../../../../venues/registry.ts';
import { lineChart } from './line-chart.ts';
import { scaleOf, timeTicks } from './scale.ts';
import { seriesChips } from './series-chips.ts';
import { hasOwnStyle, seriesTones } from './tones.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-11-01T00:00:00Z');

suite('the scale of a chart', () => {
  test('steps are round, hold every value, and zero is one of them', () => {
    const { low, high, ticks, decimals } = scaleOf([-0.11, 0.82]);
    assert.deepEqual([low, high], [-0.2, 1]);
    assert.deepEqual(ticks, [-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1]);
    assert.equal(decimals, 1);
  });

  test('values of one sign start at zero, unless only differences matter', () => {
    assert.equal(scaleOf([5, 9]).low, 0);
    assert.ok(scaleOf([94_000, 94_010], 6, false).low >= 93_990);
  });

  test('equal values and no values still give a scale', () => {
    for (const values of [[], [0, 0]]) {
      const { low, high } = scaleOf(values);
      assert.ok(low < high);
    }
  });

  test('a step of a quarter keeps both of its decimals', () => {
    assert.equal(scaleOf([1.4], 6).decimals, 2);
  });

  test('days have their date, two days have hours, and no time has no label', () => {
    const month = timeTicks(START_MS, START_MS + 30 * DAY_MS);
    assert.ok(month.length >= 4 && month.length <= 7);
    assert.match(month[0]?.label ?? '', /^\d+ (Oct|Nov)$/);
    assert.match(timeTicks(START_MS, START_MS + DAY_MS)[0]?.label ?? '', /^\d\d:00$/);
    assert.deepEqual(timeTicks(START_MS, START_MS), []);
  });
});

suite('a line chart without scripts', () => {
  const points = [0, 1, 2, 3].map((day) => [START_MS + day * DAY_MS, day === 2 ? null : day / 10] as const);
  const chart = {
    id: 'paid',
    label: 'Funding of <BTC>',
    unit: ' %',
    decimals: 2,
    series: [{ name: 'Binance', tone: 's3', dash: 0, points }],
  } as const;

  test('the axis of times says that they are UTC, and days that they are UTC days', () => {
    assert.match(lineChart(chart).markup, /text-anchor="end">UTC<\/text>/);
    const { markup } = lineChart({ ...chart, isDaily: true });
    assert.match(markup, /text-anchor="end">UTC day<\/text>/);
    assert.match(markup, /"isDaily":true/);
  });

  test('a gap breaks the line, and the last value stands at its end', () => {
    const { markup } = lineChart(chart);
    const [, path = ''] = /class="ln s3" d="([^"]+)"/.exec(markup) ?? [];
    assert.equal(path.match(/M/g)?.length, 2, path);
    assert.match(markup, /Binance \+0\.30 %<\/text>/);
  });

  test('the script gets the same figures, and no text can end its element', () => {
    const { markup } = lineChart({ ...chart, series: [{ ...chart.series[0], name: '</script><b>' }] });
    const [, json = ''] = /<script type="application\/json">(.*?)<\/script>/.exec(markup) ?? [];
    const [series] = (JSON.parse(json) as { series: { name: string; values: (number | null)[] }[] }).series;
    assert.deepEqual(series?.values, [0, 0.1, null, 0.3]);
    assert.equal(series?.name, '</script><b>');
    assert.doesNotMatch(markup, /<b>|<BTC>/);
  });

  test('without a value there are words and no picture', () => {
    const { markup } = lineChart({ ...chart, series: [{ ...chart.series[0], points: [[START_MS, null]] }] });
    assert.match(markup, /No data in this window/);
    assert.doesNotMatch(markup, /<svg/);
  });

  test('labels at the ends keep apart', () => {
    const series = ['A', 'B', 'C'].map((name) => ({ ...chart.series[0], name }));
    const { markup } = lineChart({ ...chart, series });
    const tops = [...markup.matchAll(/class="end s3"[^>]*y="([\d.]+)"/g)].map(([, y]) => Number(y));
    assert.equal(tops.length, 3);
    for (const [i, y] of tops.entries()) if (i > 0) assert.ok(y - (tops[i - 1] ?? 0) >= 15.9);
  });
});

suite('series of a chart', () => {
  test('a venue keeps its colour and its dash whatever the others are', () => {
    const all = VENUES.map(({ facts }) => facts.exchange);
    const together = seriesTones(all);
    for (const name of all) {
      assert.ok(hasOwnStyle(name), `${name} has a style`);
      assert.deepEqual(seriesTones([name, 'OKX']).get(name), together.get(name), name);
    }
    assert.deepEqual(seriesTones(['OKX']).get('OKX'), { tone: 's8', dash: 0 });
  });

  test('no two of 56 share a colour and a dash, venues or not', () => {
    const others = Array.from({ length: 56 - VENUES.length }, (_, i) => `Series ${i}`);
    const names = [...others, ...VENUES.map(({ facts }) => facts.exchange)];
    const seen = new Set([...seriesTones(names).values()].map(({ tone, dash }) => `${tone} ${dash}`));
    assert.equal(seen.size, 56);
  });

  test('two of a few whose colours are alike differ in their dash', () => {
    for (const [one, other] of [
      ['Binance', 'Gate'],
      ['KuCoin', 'Bitget'],
      ['Hyperliquid', 'Gate'],
    ] as const) {
      const styles = seriesTones([one, other]);
      assert.notEqual(styles.get(one)?.dash, styles.get(other)?.dash, `${one} and ${other}`);
    }
  });

  test('chips say whether their series is drawn; only those that are have Solo; the rest is behind "more"', () => {
    const chip = (name: string, isOn: boolean) => ({ name, isOn, line: null, toggle: '/t', solo: '/s' });
    const chips = [chip('A', false), chip('B', false), chip('C', true)];
    const { markup } = seriesChips({ id: 'c', label: 'Venues', chips, all: '/all', none: '/none', most: 1 });
    assert.deepEqual(
      [...markup.matchAll(/aria-checked="(\w+)"/g)].map(([, state]) => state),
      ['false', 'true', 'false'],
    );
    assert.equal(markup.match(/class="solo"/g)?.length, 1);
    assert.match(markup, /1 more/);
  });
});
