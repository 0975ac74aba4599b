import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Row } from '../../layout/visitor.ts';
import { outcomes, positionOf } from './calculator.ts';
import { outcomeText } from './calculator-view.ts';
import { averagePerHour, nextSettlementMs } from './figures.ts';
import { shownRows, shownSeries, totalsOf } from './history/history-rows.ts';
import { cumulative } from './paid.ts';
import { ranked } from './ranking.ts';
import { settlementHours } from './settlements.ts';
import { choiceText, NONE, venueChoice, venuesByVolume } from './venue-choice.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-11-15T13:18:44Z');
const contract = (exchange: string, values: Row = {}): Row => ({
  exchange,
  symbol: 'BTC-USDT',
  venue_symbol: 'BTCUSDT',
  is_inverse: false,
  rate_pct: 0.01,
  interval_hours: 8,
  next_funding_at: '2026-11-15T16:00:00Z',
  volume_24h_usdt: 1000,
  ...values,
});
const sent = (values: Record<string, string>) =>
  new Map(Object.entries(values).map(([name, value]) => [name, [value]]));

suite('next settlements', () => {
  test('a venue stands in every hour in which it settles', () => {
    const rates = [
      contract('Hourly', { interval_hours: 1, next_funding_at: '2026-11-15T14:00:00Z' }),
      contract('Eight'),
      contract('Continuous', { next_funding_at: null }),
    ];
    const hours = settlementHours(rates, NOW_MS);
    assert.equal(hours.length, 9);
    assert.equal(hours[0]?.atMs, Date.parse('2026-11-15T14:00:00Z'));
    assert.deepEqual(
      hours.map(({ venues }) => venues.join()),
      ['Hourly', 'Hourly', 'Hourly,Eight', ...Array.from({ length: 6 }, () => 'Hourly')],
    );
  });

  test('with delayed data a settlement that is past counts with its next one', () => {
    const row = contract('A', { interval_hours: 4, next_funding_at: '2026-11-15T12:00:00Z' });
    assert.equal(nextSettlementMs(row, NOW_MS), Date.parse('2026-11-15T16:00:00Z'));
  });

  test('one between full hours counts to the hour that follows', () => {
    const row = contract('A', { next_funding_at: '2026-11-15T14:30:00Z' });
    assert.deepEqual(settlementHours([row], NOW_MS)[1]?.venues, ['A']);
  });

  test('a past settlement without an interval has no next one', () => {
    const row = contract('A', { interval_hours: null, next_funding_at: '2026-11-15T12:00:00Z' });
    assert.equal(nextSettlementMs(row, NOW_MS), null);
  });
});

suite('what a position earns', () => {
  const none = new Map();
  const position = positionOf(sent({ size: '10000', held: '30' }));

  test('rates of unlike intervals count per hour, less the fee to open and to close', () => {
    const rates = [contract('Eight'), contract('One', { interval_hours: 1, rate_pct: 0.002 })];
    const results = outcomes(rates, position, () => 0.05, none);
    // 0.002 % an hour is 0.016 % in eight.
    assert.deepEqual(
      results.map(({ exchange, usd }) => [exchange, Number(usd.toFixed(2))]),
      [
        ['One', 10_000 * 0.00002 * 720 - 10],
        ['Eight', 10_000 * 0.0001 * 90 - 10],
      ],
    );
  });

  test('a long pays what a short earns, and pays the same fees', () => {
    const [long] = outcomes([contract('A')], { ...position, side: 'long' }, () => 0.05, none);
    assert.equal(outcomeText(long?.usd ?? 0), 'pays $100.00');
  });

  test('of a venue with two contracts the larger counts; inverse ones do not', () => {
    const rates = [
      contract('A', { rate_pct: 0.5, volume_24h_usdt: 1 }),
      contract('A'),
      contract('B', { is_inverse: true }),
    ];
    const results = outcomes(rates, position, () => 0, none);
    assert.deepEqual(
      results.map(({ exchange, usd }) => `${exchange} ${usd.toFixed(0)}`),
      ['A 90'],
    );
  });

  test('a late venue comes last, whatever it pays', () => {
    const rates = [contract('Late', { rate_pct: 1 }), contract('On time')];
    const results = outcomes(rates, position, () => 0, new Map([['Late', 14]]));
    assert.deepEqual(
      results.map(({ exchange }) => exchange),
      ['On time', 'Late'],
    );
  });

  test('sizes as people write them', () => {
    assert.equal(positionOf(sent({ size: '2.5m' })).sizeUsd, 2_500_000);
    assert.equal(positionOf(sent({ size: '$10,000' })).sizeUsd, 10_000);
  });

  test('a size that is no number is an error beside the form, and gives no answer', () => {
    const wrong = positionOf(sent({ size: 'lots' }));
    assert.match(wrong.errors.size ?? '', /number of dollars/);
    assert.equal(wrong.typed.size, 'lots', 'the form keeps it');
    assert.deepEqual(
      outcomes([contract('A')], wrong, () => 0, none),
      [],
    );
  });

  test('days beyond a year are an error', () => {
    assert.match(positionOf(sent({ held: '366' })).errors.held ?? '', /up to 365/);
  });

  test('a side that does not exist counts as short', () => {
    assert.equal(positionOf(sent({ side: 'both' })).side, 'short');
  });
});

suite('the ranking', () => {
  const rates = [
    contract('Eight', { rate_pct: 0.05, sum_30d_pct: null }),
    contract('One', { rate_pct: 0.02, interval_hours: 1, sum_30d_pct: 0.4 }),
    contract('Unknown', { rate_pct: 9, interval_hours: null, sum_30d_pct: -0.1 }),
  ];
  const names = (sort: string) => ranked(rates, sent({ sort })).map(({ exchange }) => exchange);

  test('rates compare per hour, and an unknown interval comes last in both directions', () => {
    assert.deepEqual(names('rate_desc'), ['One', 'Eight', 'Unknown']);
    assert.deepEqual(names('rate_asc'), ['Eight', 'One', 'Unknown']);
  });

  test('another column, and a sort that does not exist', () => {
    assert.deepEqual(names('paid_asc'), ['Unknown', 'One', 'Eight']);
    assert.deepEqual(names('nonsense'), ['One', 'Eight', 'Unknown']);
  });

  test('the average is by volume over linear contracts with an interval', () => {
    const rows = [
      contract('A', { rate_pct: 0.08, volume_24h_usdt: 3 }),
      contract('B', { rate_pct: 0, volume_24h_usdt: 1 }),
      contract('C', { rate_pct: 9, is_inverse: true }),
    ];
    assert.equal(averagePerHour(rows)?.toFixed(6), '0.007500');
    assert.equal(averagePerHour([]), null);
  });
});

suite('venues of a chart', () => {
  const all = ['A', 'B', 'C', 'D', 'E', 'F'];

  test('five by volume without a choice, which the address leaves out', () => {
    assert.deepEqual(venueChoice(null, all).chosen, all.slice(0, 5));
    assert.equal(choiceText(venueChoice(null, all)), undefined);
  });

  test('none, one and all', () => {
    assert.deepEqual(venueChoice(NONE, all).chosen, []);
    assert.equal(choiceText({ all, chosen: [] }), NONE);
    assert.deepEqual(venueChoice('F', all).chosen, ['F']);
    assert.equal(choiceText({ all, chosen: all }), 'A,B,C,D,E,F');
  });

  test('a venue that does not list the coin is left out', () => {
    assert.deepEqual(venueChoice('F,Nowhere', all).chosen, ['F']);
  });

  test('the volume of a venue is that of its largest linear contract', () => {
    const rates = [
      contract('A', { volume_24h_usdt: 5 }),
      contract('B', { volume_24h_usdt: 9 }),
      contract('A', { volume_24h_usdt: 50, is_inverse: true }),
    ];
    assert.deepEqual(venuesByVolume(rates), ['B', 'A']);
  });
});

suite('settled payments', () => {
  const fromMs = Date.parse('2026-11-10T00:00:00Z');
  const prints = [8, 16, 24, 32].map((hour, i) => ({
    atMs: fromMs + hour * HOUR_MS,
    ratePct: i === 3 ? -0.04 : 0.01,
    intervalHours: 8,
  }));
  const paid = { exchange: 'A', symbol: 'BTC-USDT', heldSince: null, prints };
  const window = { fromMs, toMs: fromMs + 33 * HOUR_MS, series: [paid] };

  test('the cumulative line starts at zero and is exact at every point, however few there are', () => {
    const values = (most: number) => cumulative(paid, window, most).map(([, value]) => value?.toFixed(2));
    assert.deepEqual(values(100), ['0.00', '0.01', '0.02', '0.03', '-0.01', '-0.01']);
    assert.deepEqual(values(2), ['0.00', '0.01', '0.03', '-0.01', '-0.01'].slice(0, values(2).length));
    assert.equal(values(2).at(-1), '-0.01');
  });

  test('the line of a contract that has ended does not go on', () => {
    const later = { ...window, toMs: fromMs + 30 * 24 * HOUR_MS };
    assert.equal(cumulative(paid, later, 100).at(-1)?.[0], prints.at(-1)?.atMs);
  });

  test('nothing paid is no line', () => {
    assert.deepEqual(cumulative({ ...paid, prints: [] }, window, 100), []);
  });

  test('sums, averages by time, extremes and the share that longs paid', () => {
    const totals = totalsOf(paid);
    assert.equal(totals.sumPct?.toFixed(2), '-0.01');
    assert.equal(totals.perHourPct?.toFixed(8), (-0.01 / 32).toFixed(8));
    assert.deepEqual([totals.highestPct, totals.lowestPct, totals.longsPaidPct], [0.01, -0.04, 75]);
    assert.deepEqual(totalsOf({ ...paid, prints: [] }).sumPct, null);
  });

  test('added up per day: a payment at midnight belongs to the day that ends', () => {
    const rows = shownRows('BTC', 'cumulative', shownSeries('cumulative', window, []));
    assert.deepEqual(
      rows.map(({ time, sum_pct }) => [time, sum_pct]),
      [
        ['2026-11-11T00:00:00Z', 0.03],
        ['2026-11-11T08:00:00Z', -0.01],
      ],
    );
  });
});
