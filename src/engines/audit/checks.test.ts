import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MadeMarket, type MadeQuote } from '../../../test/support/made-market.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { type Alarm, Alarms } from './alarms.ts';
import { checkSnapshot, type VenueChecks } from './checks.ts';
import { HourlyHistory } from './hourly-history.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9);
const quoteOf = (exchange: string, change: Partial<MadeQuote> = {}): MadeQuote => ({
  exchange,
  base: 'BTC',
  bid: 99.9,
  ask: 100.1,
  ratePct: 0.01,
  intervalHours: 8,
  nextFundingAtMs: NOW_MS + 7 * HOUR_MS,
  volume24hUsdt: 1_000_000,
  ...change,
});

function checksOf(quotes: readonly MadeQuote[], nowMs = NOW_MS) {
  const heard = new MadeMarket();
  heard.hear(quotes, nowMs);
  const frozen = heard.freezer.freeze(nowMs);
  return checkSnapshot(frozen.contracts, heard.market.states(), heard.freezer.identities, nowMs);
}

suite('checks of every snapshot', () => {
  test('a mid price more than 5 % from the median of the others is counted at its venue only', () => {
    const { byExchange } = checksOf([
      quoteOf('Binance'),
      quoteOf('Bybit'),
      quoteOf('OKX', { bid: 105.9, ask: 106.1 }),
      quoteOf('Gate', { bid: 104.8, ask: 105 }),
    ]);
    const prices = (exchange: string) => {
      const { pricesCompared, pricesOff } = byExchange.get(exchange) as VenueChecks;
      return [pricesCompared, pricesOff];
    };
    assert.deepEqual(prices('OKX'), [1, 1]);
    for (const exchange of ['Binance', 'Bybit', 'Gate']) assert.deepEqual(prices(exchange), [1, 0]);
  });

  test('two venues alone prove nothing, and another coin under the ticker is not a wrong price', () => {
    const two = checksOf([quoteOf('Binance'), quoteOf('OKX', { bid: 110, ask: 110.2 })]);
    assert.equal(two.byExchange.get('OKX')?.pricesCompared, 0);
    const checked = checksOf([
      quoteOf('Binance'),
      quoteOf('Bybit'),
      quoteOf('Gate'),
      quoteOf('OKX', { bid: 200, ask: 200.2 }),
    ]);
    assert.equal(checked.byExchange.get('OKX')?.pricesCompared ?? 0, 0);
  });

  test('a next settlement further away than one interval, or long past, is counted', () => {
    const { byExchange, frozenRows } = checksOf([
      quoteOf('OKX', { base: 'FAR', nextFundingAtMs: NOW_MS + 8 * HOUR_MS + 3 * MINUTE_MS }),
      quoteOf('OKX', { base: 'NEAR', nextFundingAtMs: NOW_MS + 8 * HOUR_MS + MINUTE_MS }),
      quoteOf('OKX', { base: 'PAST', nextFundingAtMs: NOW_MS - 11 * MINUTE_MS }),
      quoteOf('OKX', { base: 'JUST', nextFundingAtMs: NOW_MS - 9 * MINUTE_MS }),
      quoteOf('OKX', { base: 'NONE', nextFundingAtMs: null }),
    ]);
    const { settlementsStated, settlementsPast, settlementsTooFar } = byExchange.get('OKX') as VenueChecks;
    assert.deepEqual([settlementsStated, settlementsPast, settlementsTooFar], [4, 1, 1]);
    assert.deepEqual([...frozenRows], ['OKX/PASTUSDT']);
  });

  test('a venue that does not answer has no frozen rows: they leave by their age', () => {
    const made = new MadeMarket();
    made.hear([quoteOf('OKX', { nextFundingAtMs: NOW_MS + MINUTE_MS })], NOW_MS);
    const laterMs = NOW_MS + 12 * MINUTE_MS;
    const { contracts } = made.freezer.freeze(laterMs);
    const { frozenRows } = checkSnapshot(contracts, made.market.states(), made.freezer.identities, laterMs);
    assert.equal(frozenRows.size, 0);
  });

  test('volume is held against the venue’s own last days and against the others’ day', () => {
    const history = new HourlyHistory();
    const totals = (a: number, b: number, c: number) =>
      new Map([
        ['A', a],
        ['B', b],
        ['C', c],
      ]);
    for (let hour = 0; hour < 23; hour++) history.note(totals(100, 200, 300), NOW_MS + hour * HOUR_MS);
    assert.equal(history.ratios(totals(200, 200, 300)).size, 0, 'less than a day is not enough');
    history.note(totals(100, 200, 300), NOW_MS + 23 * HOUR_MS);
    assert.equal(history.ratios(totals(200, 200, 300)).get('A'), 2);
    assert.equal(history.ratios(totals(200, 400, 600)).get('A'), 1, 'all trade twice as much');
    assert.equal(history.ratios(totals(1, 200, 300)).get('A'), 0.01);

    const restored = new HourlyHistory();
    restored.restore(JSON.parse(JSON.stringify(history.stored(NOW_MS + 23 * HOUR_MS))));
    assert.deepEqual(restored.ratios(totals(200, 200, 300)), history.ratios(totals(200, 200, 300)));
    for (const junk of [null, 5, { hour: 'x' }, { hour: 1, totals: { A: 'x', B: ['y'] } }])
      restored.restore(junk);
  });
});

suite('alarms of checks', () => {
  const GOOD: VenueChecks = {
    pricesCompared: 50,
    pricesOff: 0,
    settlementsStated: 50,
    settlementsPast: 0,
    rowsStill: 0,
    settlementsTooFar: 0,
    volume24hUsdt: 1,
    volumeRatio: 1,
  };
  const changes: string[] = [];
  const alarms = new Alarms(({ fault }, isOn) => changes.push(`${fault} ${isOn ? 'on' : 'off'}`));
  const judge = (change: Partial<VenueChecks>) => {
    changes.length = 0;
    alarms.judgeChecks('OKX', { ...GOOD, ...change }, NOW_MS);
    return [...changes];
  };

  test('each begins and ends once', () => {
    assert.deepEqual(judge({}), []);
    assert.deepEqual(judge({ pricesOff: 10 }), ['price on']);
    assert.deepEqual(judge({ pricesOff: 11 }), []);
    assert.deepEqual(judge({ pricesOff: 9 }), ['price off']);
    assert.deepEqual(judge({ settlementsPast: 1 }), ['frozen_row on']);
    assert.deepEqual(judge({}), ['frozen_row off']);
    assert.deepEqual(judge({ volumeRatio: 1.9 }), ['volume on']);
    assert.deepEqual(judge({ volumeRatio: 1.6 }), [], 'it ends closer to 1 than it begins');
    assert.deepEqual(judge({ volumeRatio: 1.4 }), ['volume off']);
    assert.deepEqual(judge({ volumeRatio: 0.01 }), ['volume on']);
    assert.deepEqual(judge({ volumeRatio: null }), ['volume off']);
  });

  test('what is withheld depends on the setting and on the kind of fault', () => {
    const own = new Alarms(() => {});
    const alarm = (fault: Alarm['fault'], exchange: string): Alarm => ({
      exchange,
      fault,
      sinceMs: 1,
      evidence: '',
    });
    assert.equal(own.withheld('all'), null);
    own.restore([alarm('sign', 'OKX'), alarm('volume', 'Gate'), alarm('frozen_row', 'WOOX')]);
    own.noteFrozenRows(new Set(['WOOX/EWT']));
    const rows = ['OKX/BTC', 'Gate/BTC', 'WOOX/BTC', 'WOOX/EWT', 'Bybit/BTC'].map((key) => ({
      key,
      exchange: key.slice(0, key.indexOf('/')),
    }));
    const withheld = (setting: 'off' | 'rates' | 'all') =>
      rows.filter((row) => own.withheld(setting)?.(row)).map(({ key }) => key);
    assert.deepEqual(withheld('off'), []);
    assert.deepEqual(withheld('rates'), ['OKX/BTC', 'WOOX/EWT']);
    assert.deepEqual(withheld('all'), ['OKX/BTC', 'Gate/BTC', 'WOOX/EWT']);
  });
});
