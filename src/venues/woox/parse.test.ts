import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, contractsOf, rowsOf } from '../../../test/support/as-sent.ts';
import { ccxtInstruments } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import {
  parseBestOffers,
  parseDepth,
  parseFundingHistory,
  parseFundingRates,
  parseFutures,
  parseInstruments,
} from './parse.ts';
import { bestOffers } from './stream.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const listed = parseInstruments(fixture('instruments'));
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: 1_794_697_200_500, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}

const rows = (...data: object[]) => ({ success: true, data: { rows: data }, timestamp: 1_794_697_200_000 });

suite('WOOX contracts', () => {
  test('perpetuals are taken, spot ignored, bad rows rejected with a reason', () => {
    assert.deepEqual(
      [...contracts.keys()],
      ['PERP_BTC_USDT', 'PERP_1000PEPE_USDT', 'PERP_1INCH_USDT', 'PERP_SOON_USDT', 'PERP_HALT_USDT'],
    );
    assert.deepEqual(
      [...listed.ignored],
      [
        ['spot', 1],
        ['not a perpetual', 1],
      ],
    );
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'PERP_MYST_USDT', reason: 'unknown status SLEEPING' },
      { venueSymbol: 'PERP_ODD', reason: 'no base or quote' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('the base keeps its multiplier as the venue spells it', () => {
    assert.equal(contractOf('PERP_1000PEPE_USDT').base, '1000PEPE');
    assert.equal(contractOf('PERP_1INCH_USDT').base, '1INCH');
  });

  test('every perpetual is linear, settled in its quote, with sizes in base units', () => {
    const { settle, isInverse, contractSize } = contractOf('PERP_BTC_USDT');
    assert.deepEqual([settle, isInverse, contractSize], ['USDT', false, 1]);
  });

  test('SNDK at 1,884 is a share and EWT at 114 not Energy Web; PAXG, XAUT and all others are coins', () => {
    const bases = ['SNDK', 'EWT', 'PAXG', 'XAUT', 'BTC'];
    const list = parseInstruments(
      rows(...bases.map((b) => ({ symbol: `PERP_${b}_USDT`, status: 'TRADING' }))),
    );
    assert.deepEqual(
      list.contractList?.contracts.map((contract) => contract.assetClass),
      ['stock', 'stock', 'crypto', 'crypto', 'crypto'],
    );
  });

  test('testing is before the opening, suspended is halted', () => {
    assert.equal(contractOf('PERP_SOON_USDT').status, 'preopen');
    assert.equal(contractOf('PERP_HALT_USDT').status, 'halted');
  });

  test('a failure of the gateway with HTTP 200 is a bad reply, not an empty list', () => {
    assert.throws(() => parseInstruments({ code: 503, message: '[GW] no upstream server' }), BadReply);
    assert.throws(() => parseFundingRates({ success: false, code: -1003 }, context), BadReply);
    assert.throws(() => parseFutures({ success: true, data: {} }, context), BadReply);
  });
});

suite('WOOX funding', () => {
  const batch = parseFundingRates(fixture('funding-rate'), context);
  const quotes = new Map(batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote]));

  test('estFundingRate is the running rate, in percent without float noise; zero is a value', () => {
    assert.equal(quotes.get('PERP_BTC_USDT')?.ratePct, 0.01);
    assert.equal(quotes.get('PERP_1000PEPE_USDT')?.ratePct, -0.000781);
    assert.equal(quotes.get('PERP_1INCH_USDT')?.ratePct, 0);
    assert.equal(quotes.get('PERP_BTC_USDT')?.nextFundingAtMs, 1_794_700_800_000);
  });

  test('the interval is that of the upcoming settlement of each contract: 8, 4 and 1 hours', () => {
    assert.equal(quotes.get('PERP_BTC_USDT')?.intervalHours, 8);
    assert.equal(quotes.get('PERP_1000PEPE_USDT')?.intervalHours, 4);
    assert.equal(quotes.get('PERP_1INCH_USDT')?.intervalHours, 1);
  });

  test('EWT on 2026-09-23: a row that stands still hands on its past settlement and its time, 26 h old', () => {
    const [settledAtMs, estimatedAtMs] = [Date.UTC(2026, 8, 22, 8), Date.UTC(2026, 8, 22, 2, 17, 59)];
    const row = {
      symbol: 'PERP_BTC_USDT',
      estFundingRate: '0.0001',
      estFundingRateTimestamp: estimatedAtMs,
      estFundingIntervalHours: 8,
      nextFundingTime: settledAtMs,
    };
    const at = { receivedAtMs: Date.UTC(2026, 8, 23, 4, 5), contracts };
    const [quote] = parseFundingRates(rows(row), at).fundingQuotes;
    assert.deepEqual([quote?.nextFundingAtMs, quote?.venueTimeMs], [settledAtMs, estimatedAtMs]);
  });

  test('a row without an interval keeps it unknown, never 8', () => {
    const quote = parseFundingRates(
      rows({ symbol: 'PERP_BTC_USDT', estFundingRate: '0.0001', nextFundingTime: 1_794_700_800_000 }),
      context,
    ).fundingQuotes[0];
    assert.equal(quote?.intervalHours, null);
  });

  test('a symbol that is not in the instrument list yet never loses the rest of the reply', () => {
    assert.equal(batch.ignored.get('not in the contract list'), 1);
    assert.deepEqual(batch.rejected, [
      { venueSymbol: 'PERP_HALT_USDT', reason: 'no rate' },
      { venueSymbol: 'PERP_SOON_USDT', reason: 'no next settlement' },
    ]);
  });

  const page = (times: number[], total: number, window: { fromMs: number; toMs: number }) =>
    parseFundingHistory(
      {
        success: true,
        data: {
          rows: times.map((fundingRateTimestamp) => ({
            symbol: 'PERP_BTC_USDT',
            fundingRate: '-0.00004953',
            fundingRateTimestamp,
          })),
          meta: { total, recordsPerPage: times.length, currentPage: 1 },
        },
      },
      window,
    );
  const window = { fromMs: 1_794_600_000_000, toMs: 1_794_700_000_000 };

  test('a page with more behind it is continued before its oldest row, the last one ends', () => {
    const first = page([1_794_686_400_000, 1_794_672_000_000], 5, window);
    assert.deepEqual(
      first.settlements.map((print) => print.ratePct),
      [-0.004953, -0.004953],
    );
    assert.deepEqual(first.next, { fromMs: window.fromMs, toMs: 1_794_671_999_999 });
    assert.equal(page([1_794_686_400_000, 1_794_672_000_000], 2, window).next, null);
  });

  test('a venue that ignores the window neither adds rows outside it nor makes the walk endless', () => {
    const ignored = page([1_794_786_400_000, 1_794_772_000_000], 500, window);
    assert.deepEqual([ignored.settlements, ignored.next], [[], null]);
    const before = page([1_794_600_000_000, 1_794_585_600_000], 500, window);
    assert.deepEqual([before.settlements.length, before.next], [1, null]);
  });

  test('a print without rate or time is rejected by name', () => {
    const bad = parseFundingHistory(
      {
        success: true,
        data: { rows: [{ symbol: 'PERP_BTC_USDT', fundingRate: '' }], meta: { total: 1 } },
      },
      window,
    );
    assert.deepEqual(bad.rejected, [{ venueSymbol: 'PERP_BTC_USDT', reason: 'no rate or time' }]);
  });
});

suite('WOOX prices and volumes', () => {
  test('24hAmount is the turnover in USDT, 24hVolume is in base units; a contract without index stays', () => {
    const batch = parseFutures(
      rows(
        {
          symbol: 'PERP_BTC_USDT',
          indexPrice: null,
          markPrice: '96400',
          '24hVolume': '10',
          '24hAmount': '964000',
        },
        { symbol: 'PERP_1INCH_USDT', markPrice: '0.28', '24hVolume': '0', '24hAmount': '0' },
        { symbol: 'PERP_HALT_USDT', markPrice: '1', '24hVolume': '10' },
        { symbol: 'PERP_NEW_USDT', markPrice: '1', '24hAmount': '1' },
      ),
      context,
    );
    assert.deepEqual(
      batch.dayVolumes.map((row) => [row.venueSymbol, row.volume24hUsdt, row.referencePrice]),
      [
        ['PERP_BTC_USDT', 964_000, 96_400],
        ['PERP_1INCH_USDT', 0, 0.28],
      ],
    );
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'PERP_HALT_USDT', reason: 'no volume' }]);
    assert.equal(batch.ignored.get('not in the contract list'), 1);
  });

  test('sizes are base amounts; a side without orders and a crossed book are rejected by name', () => {
    const offers = (fields: object) =>
      parseBestOffers({ s: 'PERP_BTC_USDT', ts: 1_794_697_200_000, ...fields }, context);
    const top = offers({ bp: '86821', bq: '0.35032', ap: '87243', aq: '0.3279' }).bookTops[0];
    assert.deepEqual([top?.bidSize, top?.askSize, top?.venueTimeMs], [0.35032, 0.3279, 1_794_697_200_000]);
    assert.equal(offers({ ap: '87243', aq: '1' }).rejected[0]?.reason, 'no bid or ask');
    assert.equal(offers({ bp: '2', ap: '1' }).rejected[0]?.reason, 'crossed book');
  });

  test('a book of price and quantity objects comes out best first', () => {
    const depth = parseDepth(
      {
        success: true,
        timestamp: 1_794_697_200_000,
        data: {
          bids: [
            { price: '99', quantity: '2' },
            { price: '100', quantity: '1' },
          ],
          asks: [
            { price: '102', quantity: '4' },
            { price: '101', quantity: '3' },
          ],
        },
      },
      contractOf('PERP_BTC_USDT'),
    );
    assert.deepEqual(depth.bids, [
      [100, 1],
      [99, 2],
    ]);
    assert.deepEqual(depth.asks, [
      [101, 3],
      [102, 4],
    ]);
    assert.equal(depth.venueTimeMs, 1_794_697_200_000);
  });
});

suite('WOOX stream', () => {
  const many = Array.from({ length: 23 }, (_, i) => ({
    ...contractOf('PERP_BTC_USDT'),
    venueSymbol: `PERP_C${i}_USDT`,
  }));

  test('topics go out ten to a request, because longer requests are refused whole', () => {
    const requests = bestOffers.open(many).opening.map((text) => JSON.parse(text));
    assert.deepEqual(
      requests.map((request) => [request.id, request.cmd, request.params.length]),
      [
        ['1', 'SUBSCRIBE', 10],
        ['2', 'SUBSCRIBE', 10],
        ['3', 'SUBSCRIBE', 3],
      ],
    );
    assert.equal(requests[2].params[2], 'bbo@PERP_C22_USDT');
  });

  test('a topic that the acknowledgement leaves out was refused, although it says success', () => {
    const session = bestOffers.open(many.slice(0, 2));
    const ack = { id: '1', cmd: 'SUBSCRIBE', success: true, data: ['bbo@PERP_C0_USDT'] };
    assert.deepEqual(session.receive(ack, context).batch.rejected, [
      { venueSymbol: 'PERP_C1_USDT', reason: 'subscription refused' },
    ]);
  });

  test('a ping is answered, a pong says nothing, a refusal ends the connection', () => {
    const session = bestOffers.open(many);
    assert.deepEqual(session.receive({ cmd: 'PING' }, context).replies, ['{"cmd":"PONG"}']);
    assert.deepEqual(session.receive({ cmd: 'PONG', success: true }, context).batch.bookTops, []);
    const refusal = { id: '1', cmd: 'SUBSCRIBE', success: false, data: 'Command type invalid!' };
    assert.throws(() => session.receive(refusal, context), BadReply);
  });

  test('a push becomes a book top', () => {
    const push = {
      topic: 'bbo@PERP_BTC_USDT',
      ts: 1_794_697_200_001,
      data: { s: 'PERP_BTC_USDT', ts: 1_794_697_200_000, bp: '1', bq: '2', ap: '3', aq: '4' },
    };
    assert.equal(bestOffers.open(many).receive(push, context).batch.bookTops[0]?.askSize, 4);
  });
});

asSent(
  'woox',
  {
    instruments: () =>
      rows(...ccxtInstruments('woo').map((info) => ({ ...(info as object), status: 'TRADING' }))),
  },
  (sent) => {
    const batch = parseInstruments(sent('instruments'));
    const known = { receivedAtMs: 0, contracts: contractsOf(batch) };

    test('instruments: perpetuals by their name, spot pairs ignored', () => {
      assert.deepEqual(batch.rejected, []);
      assert.ok((batch.ignored.get('spot') ?? 0) > 0);
      assert.deepEqual(
        rowsOf([...known.contracts.values()], 'PERP_BTC_USDT', 'PERP_DOGE_USDT').map((c) => [
          c.base,
          c.quote,
          c.contractSize,
          c.status,
        ]),
        [
          ['BTC', 'USDT', 1, 'trading'],
          ['DOGE', 'USDT', 1, 'trading'],
        ],
      );
    });

    test('the estimated rate is the running one, the last one is settled already', () => {
      const [quote] = parseFundingRates(sent('fundingRate'), known).fundingQuotes;
      assert.deepEqual(
        [quote?.ratePct, quote?.nextFundingAtMs, quote?.intervalHours, quote?.venueTimeMs],
        [-0.000441, Date.UTC(2025, 6, 4, 16), 8, 1_751_623_979_022],
      );
      const window = { fromMs: 1_700_000_000_000, toMs: 1_800_000_000_000 };
      assert.deepEqual(parseFundingHistory(sent('fundingRateHistory'), window).settlements, [
        { venueSymbol: 'PERP_BTC_USDT', ratePct: -0.004953, settledAtMs: Date.UTC(2025, 6, 4, 8) },
      ]);
    });

    test('24hAmount is the turnover in USDT, open interest counts coins', () => {
      const figures = parseFutures(sent('futures'), known);
      // 24hVolume says the same: 12,000 BTC at 63,000.
      assert.equal(figures.dayVolumes[0]?.volume24hUsdt, 756_000_000);
      // 221.3498 BTC × 63,028.
      assert.equal(figures.marketFigures[0]?.openInterestUsdt?.toFixed(4), '13951235.1944');
      assert.equal(figures.marketFigures[0]?.indexPrice, 63_049);
    });

    test('a book', () => {
      const depth = parseDepth(sent('orderbook'), contractOf('PERP_BTC_USDT'));
      assert.deepEqual(
        [depth.bids, depth.asks, depth.venueTimeMs],
        [[[108_924.85, 1.714147]], [[108_924.86, 0.032126]], 1_751_620_923_344],
      );
    });
  },
);
