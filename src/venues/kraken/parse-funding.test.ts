import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { capture, sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply, type Row } from '../reading.ts';
import { parseInstruments, parseTickers } from './parse.ts';
import { parseFundingRates } from './parse-funding.ts';

/** 2026-11-14T23:00:00.500Z */
const NOW_MS = 1_794_697_200_500;
const instrument = { contractSize: 1, tradeable: true, base: 'ETH', quote: 'USD' };
const contracts = new Map<string, Contract>(
  parseInstruments(
    {
      result: 'success',
      instruments: [
        { ...instrument, symbol: 'PF_ETHUSD', type: 'flexible_futures' },
        { ...instrument, symbol: 'PF_XBTUSD', type: 'flexible_futures', base: 'XBT' },
        { ...instrument, symbol: 'PI_ETHUSD', type: 'futures_inverse' },
        { ...instrument, symbol: 'PI_XBTUSD', type: 'futures_inverse', base: 'XBT' },
      ],
    },
    NOW_MS,
  ).contractList?.contracts.map((contract) => [contract.venueSymbol, contract]),
);

function read(ticker: Row, receivedAtMs = NOW_MS) {
  const reply = { result: 'success', tickers: [{ vol24h: 0, markPrice: 3000, ...ticker }] };
  return parseTickers(reply, { receivedAtMs, contracts });
}

function quoteOf(ticker: Row, receivedAtMs = NOW_MS) {
  return read(ticker, receivedAtMs).fundingQuotes[0];
}

suite('Kraken running rate', () => {
  test('trap C1: a linear fundingRate is USD for a base unit, the rate is its share of the index price', () => {
    const quote = quoteOf({ symbol: 'PF_ETHUSD', fundingRate: 0.33, indexPrice: 3300 });
    assert.equal(quote?.ratePct, 0.01);
  });

  test('trap C1: an inverse fundingRate is coins for one USD, the rate is its worth at the index price', () => {
    const quote = quoteOf({ symbol: 'PI_ETHUSD', fundingRate: -1e-8, indexPrice: 3300 });
    assert.equal(quote?.ratePct, -0.0033);
  });

  test('the index price is taken, the mark price only where there is none', () => {
    const both = { symbol: 'PF_ETHUSD', fundingRate: 0.33, indexPrice: 3300, markPrice: 3000 };
    assert.equal(quoteOf(both)?.ratePct, 0.01);
    assert.equal(quoteOf({ ...both, indexPrice: undefined })?.ratePct, 0.011);
  });

  test('trap B1: fundingRate is what this hour pays; fundingRatePrediction belongs to the hour after', () => {
    const quote = quoteOf({
      symbol: 'PF_ETHUSD',
      fundingRate: 0.33,
      fundingRatePrediction: 0.66,
      indexPrice: 3300,
    });
    assert.equal(quote?.ratePct, 0.01);
  });

  test('trap C1: the rate is of one hour and stays so, and the next settlement is the next full hour', () => {
    const quote = quoteOf({ symbol: 'PF_ETHUSD', fundingRate: 0.33, indexPrice: 3300 });
    assert.equal(quote?.intervalHours, 1);
    assert.equal(quote?.nextFundingAtMs, 1_794_700_800_000);
  });

  test('no rate is cut at 0.25 % an hour: the caps are per contract and higher by now', () => {
    assert.equal(quoteOf({ symbol: 'PF_ETHUSD', fundingRate: -66, indexPrice: 3300 })?.ratePct, -2);
  });

  test('trap C2: an amount taken for a rate, or another wrong unit, is kept out', () => {
    assert.equal(quoteOf({ symbol: 'PF_ETHUSD', fundingRate: 330, indexPrice: 3300 }), undefined);
  });

  test('PF_XBTUSD: relativeFundingRate is published, not the amount over the index price, 0.09 % and 0.73 % beside it', () => {
    for (const besideIt of [1.0009, 1.0073]) {
      const ticker = { symbol: 'PF_XBTUSD', indexPrice: 80_000, fundingRate: 0.8 * besideIt };
      assert.equal(quoteOf({ ...ticker, relativeFundingRate: 0.00001 })?.ratePct, 0.001);
      assert.equal(quoteOf(ticker)?.ratePct, Number((0.001 * besideIt).toFixed(9)));
    }
  });

  test('a relative rate without an amount or a price to check it by is accepted', () => {
    assert.equal(quoteOf({ symbol: 'PF_XBTUSD', relativeFundingRate: '-1.25e-5' })?.ratePct, -0.00125);
  });

  test('a relative rate that its amount contradicts by more than half, or in sign, is rejected', () => {
    const ticker = { symbol: 'PF_ETHUSD', fundingRate: 0.33, indexPrice: 3300 };
    assert.equal(quoteOf({ ...ticker, relativeFundingRate: 0.00007 })?.ratePct, 0.007);
    for (const relativeFundingRate of [0.00004, 0.0008, 0.01, -0.0001]) {
      const { fundingQuotes, rejected } = read({ ...ticker, relativeFundingRate });
      assert.deepEqual(fundingQuotes, []);
      assert.equal(rejected[0]?.reason, 'relative rate and amount contradict each other');
    }
  });

  test('zero is a value, and tiny amounts in exponent form are read', () => {
    assert.equal(quoteOf({ symbol: 'PF_ETHUSD', fundingRate: -0.0, indexPrice: 3300 })?.ratePct, 0);
    assert.equal(quoteOf({ symbol: 'PI_XBTUSD', fundingRate: 1.25e-10, indexPrice: 80_000 })?.ratePct, 0.001);
  });
});

suite('Kraken settlements', () => {
  const eth = contracts.get('PF_ETHUSD');
  assert.ok(eth);
  const row = (timestamp: string, relativeFundingRate: unknown) => ({
    timestamp,
    fundingRate: 1.7,
    relativeFundingRate,
  });
  const read = (rates: unknown[], fromMs = 0, toMs = NOW_MS, receivedAtMs = NOW_MS) =>
    parseFundingRates({ result: 'success', rates }, eth, { fromMs, toMs }, receivedAtMs);

  test('trap C1: the relative rate is the print, the absolute one beside it is money', () => {
    const [print] = read([row('2026-11-14T20:00:00Z', 1.25e-5)]).settlements;
    assert.equal(print?.ratePct, 0.00125);
  });

  test('a row has the start of its hour, so it settles an hour later', () => {
    const [print] = read([row('2026-11-14T20:00:00Z', 0)]).settlements;
    assert.equal(print?.settledAtMs, Date.UTC(2026, 10, 14, 21));
  });

  test('trap B3: the row of the hour that still runs is no print', () => {
    const rates = [row('2026-11-14T22:00:00Z', 0.0001), row('2026-11-14T23:00:00Z', 0.0002)];
    assert.deepEqual(
      read(rates, 0, NOW_MS + 86_400_000).settlements.map((print) => print.ratePct),
      [0.01],
    );
  });

  test('the row of the running hour is no print either if our clock is an hour fast', () => {
    const rates = [row('2026-11-14T22:00:00Z', 0.0001), row('2026-11-14T23:00:00Z', 0.0002)];
    const reply = { result: 'success', rates, serverTime: '2026-11-14T23:00:00.400Z' };
    const fastMs = NOW_MS + 3_600_000;
    const { settlements } = parseFundingRates(reply, eth, { fromMs: 0, toMs: fastMs }, fastMs);
    assert.deepEqual(
      settlements.map((print) => print.ratePct),
      [0.01],
    );
  });

  test('the reply takes no window, so the window is cut out of it, both ends in', () => {
    const rates = ['18', '19', '20', '21'].map((hour) => row(`2026-11-14T${hour}:00:00Z`, 0.0001));
    const page = read(rates, Date.UTC(2026, 10, 14, 20), Date.UTC(2026, 10, 14, 21));
    assert.deepEqual(
      page.settlements.map((print) => print.settledAtMs),
      [Date.UTC(2026, 10, 14, 20), Date.UTC(2026, 10, 14, 21)],
    );
    assert.equal(page.next, null);
  });

  test('a row before the window is not read, one whose time is in another zone is', () => {
    const rates = [
      row('2026-11-14T18:00:00Z', Number.NaN),
      row('2026-11-14T21:00:00+02:00', 0.0003),
      row('2026-11-14T20:00:00.000Z', 0.0001),
    ];
    const page = read(rates, Date.UTC(2026, 10, 14, 20), Date.UTC(2026, 10, 14, 21));
    assert.deepEqual(
      page.settlements.map((print) => [print.settledAtMs, print.ratePct]),
      [
        [Date.UTC(2026, 10, 14, 20), 0.03],
        [Date.UTC(2026, 10, 14, 21), 0.01],
      ],
    );
    assert.deepEqual(page.rejected, []);
  });

  test('newest first or oldest first, prints come out ascending', () => {
    const rates = [row('2026-11-14T21:00:00Z', 0.0002), row('2026-11-14T20:00:00Z', 0.0001)];
    assert.deepEqual(
      read(rates).settlements.map((print) => print.ratePct),
      [0.01, 0.02],
    );
  });

  test('rows from before hourly funding are left out, a missing hour stays a gap', () => {
    const rates = [
      row('2022-09-28T20:00:00Z', 0.0001),
      row('2026-11-14T18:00:00Z', 0.0001),
      row('2026-11-14T20:00:00Z', 0.0001),
    ];
    assert.equal(read(rates).settlements.length, 2);
  });

  test('a row without relative rate or time is rejected, never replaced by the absolute one', () => {
    const page = read([row('2026-11-14T20:00:00Z', null), row('soon', 0.0001), 7]);
    assert.deepEqual(page.settlements, []);
    assert.equal(page.rejected.length, 3);
    assert.deepEqual(page.rejected[0], { venueSymbol: 'PF_ETHUSD', reason: 'no rate or time' });
  });

  test('an unknown symbol is answered with an error, which is a bad reply', () => {
    const error = { result: 'error', errors: [{ code: 11, message: 'Argument invalid: symbol' }] };
    assert.throws(() => parseFundingRates(error, eth, { fromMs: 0, toMs: NOW_MS }, NOW_MS), BadReply);
  });
});

asSent(
  'kraken',
  {
    historicalFundingRates: () => capture('kraken', 'http_futures_historical_funding_rates.json'),
    historicalFundingRatesDocumented: () =>
      sample('kraken', 'Futures__ExchangeData__GetHistoricalFundingRates.txt'),
  },
  (sent) => {
    /** The WebSocket ticker has amount and rate side by side: our rate from the amount must be the venue's own. */
    function compare(message: Row): void {
      const ticker = {
        symbol: message.product_id,
        fundingRate: message.funding_rate,
        indexPrice: message.index,
      };
      const quote = quoteOf(ticker, Number(message.time));
      const venuePct = Number(message.relative_funding_rate) * 100;
      assert.ok(quote);
      // The venue divided by the price of the hour before, which had moved by less than one percent.
      assert.ok(Math.abs(quote.ratePct - venuePct) <= Math.abs(venuePct) * 0.01 + 1e-8);
      assert.equal(quote.nextFundingAtMs, message.next_funding_rate_time);
    }

    test('an inverse amount times the index price is the relative rate that the venue sent', () => {
      compare(sent('inverseTickerPush') as Row);
    });

    test('a linear amount over the index price is the relative rate that the venue sent', () => {
      compare(sent('linearTickerPush') as Row);
    });

    test('settled rates end an hour after their time; those from before hourly funding are left out', () => {
      const inverse = contracts.get('PI_XBTUSD');
      assert.ok(inverse);
      const window = { fromMs: 0, toMs: NOW_MS };
      const page = parseFundingRates(sent('historicalFundingRates'), inverse, window, NOW_MS);
      assert.deepEqual(
        page.settlements.map((print) => [print.ratePct, print.settledAtMs]),
        [
          [0.015, Date.UTC(2025, 6, 10, 17)],
          [-0.005, Date.UTC(2025, 6, 11, 1)],
          [0.01, Date.UTC(2025, 6, 11, 9)],
        ],
      );
      const documented = parseFundingRates(sent('historicalFundingRatesDocumented'), inverse, window, NOW_MS);
      assert.deepEqual([documented.settlements, documented.rejected], [[], []]);
    });
  },
);
