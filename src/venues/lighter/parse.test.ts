import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent } from '../../../test/support/as-sent.ts';
import { capture, sample } from '../../../test/support/recordings.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { SendRequest, SettlementPage, SettlementWindow } from '../venue.ts';
import {
  parseBookOrders,
  parseFundingRates,
  parseFundings,
  parseMarkets,
  parseNotices,
  parseTokenList,
} from './parse.ts';
import { lighter } from './venue.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const AT_MS = Date.UTC(2026, 10, 14, 22, 20, 5);
const listed = parseMarkets(fixture('order-book-details'), parseTokenList(fixture('tokenlist')), AT_MS);
const contracts = new Map(
  (listed.contractList?.contracts ?? []).map((contract) => [contract.venueSymbol, contract]),
);
const context = { receivedAtMs: AT_MS, contracts };
const btc = contracts.get('BTC');
assert.ok(btc);

suite('Lighter contracts', () => {
  test('perpetuals are linear in USDC and carry the number that calls take', () => {
    assert.deepEqual(
      [btc.venueId, btc.base, btc.quote, btc.settle, btc.contractSize, btc.maxLeverage, btc.listedAtMs],
      ['1', 'BTC', 'USDC', 'USDC', 1, 50, 1_737_000_000_000],
    );
  });

  test('F1: the base keeps its multiplier as the market spells it', () => {
    assert.equal(contracts.get('1000PEPE')?.base, '1000PEPE');
    assert.equal(contracts.get('1000PEPE')?.assetClass, 'crypto');
  });

  test('F3: tokenlist separates stocks and currencies from coins; a gold token is a coin', () => {
    assert.deepEqual(
      ['BTC', 'TSLA', 'EURUSD', 'PAXG', 'OLD'].map((symbol) => contracts.get(symbol)?.assetClass),
      ['crypto', 'stock', 'forex', 'crypto', 'crypto'],
    );
  });

  test('USDHKD is a currency though the token list calls it a coin, and so is a token of category KRW', () => {
    const classes = parseTokenList({
      code: 200,
      tokens: [
        { symbol: 'USDHKD', market: 'PERPS', asset_type: 'CRYPTO', categories: ['NEW'] },
        { symbol: 'WON', market: 'PERPS', asset_type: 'RWA', categories: ['KRW'] },
        { symbol: 'SAMSUNG', market: 'PERPS', asset_type: 'RWA', categories: ['KRW', 'STOCK'] },
        { symbol: 'XAUT', market: 'PERPS', asset_type: 'RWA', categories: ['COMMODITIES'] },
        { symbol: 'TRY', market: 'PERPS', asset_type: 'CRYPTO', categories: [] },
      ],
    });
    assert.deepEqual([...classes.values()], ['forex', 'forex', 'stock', 'crypto', 'crypto']);
  });

  test('status: reduce-only is delisting, inactive delisted, hidden halted, a future start preopen', () => {
    assert.deepEqual(
      ['BTC', 'LEAVE', 'GONE', 'HIDE', 'SOON'].map((symbol) => contracts.get(symbol)?.status),
      ['trading', 'delisting', 'delisted', 'halted', 'preopen'],
    );
    assert.equal(contracts.get('SOON')?.listedAtMs, 1_795_000_000_000);
  });

  test('a symbol that is listed twice belongs to the live market', () => {
    assert.deepEqual([contracts.get('OLD')?.venueId, contracts.get('OLD')?.status], ['170', 'trading']);
    const rows = (fixture('order-book-details') as { order_book_details: unknown[] }).order_book_details;
    const reversed = { code: 200, order_book_details: rows.toReversed() };
    const again = parseMarkets(reversed, new Map(), AT_MS);
    assert.equal(again.contractList?.contracts.find((c) => c.venueSymbol === 'OLD')?.venueId, '170');
    assert.equal(again.ignored.get('former market of a symbol'), 1);
  });

  test('spot is ignored, bad rows are rejected with a reason', () => {
    assert.equal(listed.ignored.get('spot'), 1);
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'MYST', reason: 'unknown status sleeping' },
      { venueSymbol: 'NOID', reason: 'no market id' },
      { venueSymbol: 'NOVOL', reason: 'no volume' },
    ]);
  });

  test('a market has the taker fee of its row, in percent; a fee that is switched off is none', () => {
    const row = {
      symbol: 'ETH',
      market_id: 0,
      market_type: 'perp',
      status: 'active',
      min_initial_margin_fraction: 200,
      last_trade_price: 2361.31,
      daily_quote_token_volume: 1,
    };
    const feeOf = (fields: object) => {
      const order_book_details = [{ ...row, ...fields }];
      const { contractList } = parseMarkets({ code: 200, order_book_details }, new Map(), AT_MS);
      return contractList?.contracts[0]?.takerFeePct;
    };
    assert.equal(feeOf({ taker_fee: '0.0200', is_taker_fee_enabled: true }), 0.02);
    assert.equal(feeOf({ taker_fee: '0.0200', is_taker_fee_enabled: false }), 0);
    assert.equal(feeOf({}), undefined, 'the fee of the venue applies');
  });

  test('volume is in quote units; zero is a value; a closed market has none', () => {
    const volumes = new Map(listed.dayVolumes.map((volume) => [volume.venueSymbol, volume.volume24hUsdt]));
    assert.equal(volumes.get('BTC'), 144_649_950.25);
    assert.equal(volumes.get('1000PEPE'), 0);
    assert.equal(volumes.has('GONE'), false);
  });

  test('an error code with status 200 is a bad reply', () => {
    assert.throws(() => parseMarkets({ code: 23000, message: 'Too Many Requests!' }, new Map(), 0), BadReply);
    assert.throws(() => parseTokenList({ code: 500 }), BadReply);
  });
});

suite('Lighter funding', () => {
  test('funding-rates is a fraction of eight hours: an hour of it is an eighth; other venues are left out', () => {
    const row = { market_id: 1, symbol: 'BTC' };
    const batch = parseFundingRates(
      {
        code: 200,
        funding_rates: [
          { ...row, exchange: 'binance', rate: 0.0001 },
          { ...row, exchange: 'lighter', rate: 0.3 * 0.00032 },
          { market_id: 4, symbol: '1000PEPE', exchange: 'lighter', rate: 0 },
          { market_id: 112, symbol: 'TSLA', exchange: 'lighter', rate: null },
          { market_id: 39, symbol: 'GONE', exchange: 'lighter', rate: 0.01 },
          { market_id: 250, symbol: 'BRANDNEW', exchange: 'lighter', rate: 0.01 },
        ],
      },
      context,
    );
    assert.deepEqual(
      batch.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct, quote.intervalHours]),
      [
        ['BTC', 0.0012, 1],
        ['1000PEPE', 0, 1],
      ],
    );
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'TSLA', reason: 'no rate' }]);
    assert.deepEqual(
      [...batch.ignored],
      [
        ['rate of another venue', 1],
        ['not trading', 1],
        ['not in the contract list', 1],
      ],
    );
  });

  test('D7: the next settlement is the next full hour', () => {
    const rates = [{ market_id: 1, symbol: 'BTC', exchange: 'lighter', rate: 0.0001 }];
    const quote = parseFundingRates({ code: 200, funding_rates: rates }, context).fundingQuotes[0];
    assert.equal(quote?.nextFundingAtMs, Date.UTC(2026, 10, 14, 23));
  });

  const window = { fromMs: Date.UTC(2026, 10, 14), toMs: AT_MS };
  const atHour = (hour: number) => Date.UTC(2026, 10, 14, hour) / 1000;

  test('C2: fundings is an unsigned percent of one hour, signed by the side that paid, with times in seconds', () => {
    const page = parseFundings(
      {
        code: 200,
        resolution: '1h',
        fundings: [
          { timestamp: atHour(20), value: '1.15', rate: '0.0012', direction: 'long' },
          { timestamp: atHour(21), value: '0.19', rate: '0.0002', direction: 'short' },
          { timestamp: atHour(22), value: '0', rate: '0.0000', direction: '' },
          { timestamp: atHour(22), value: '0', rate: '0.0004', direction: 'sideways' },
          { timestamp: 0, value: '0', rate: '0.0004', direction: 'long' },
          { timestamp: atHour(-1), value: '0', rate: '0.0004', direction: 'long' },
        ],
      },
      btc,
      window,
    );
    assert.deepEqual(
      page.settlements.map((print) => [print.ratePct, print.settledAtMs]),
      [
        [0.0012, Date.UTC(2026, 10, 14, 20)],
        [-0.0002, Date.UTC(2026, 10, 14, 21)],
        [0, Date.UTC(2026, 10, 14, 22)],
      ],
    );
    assert.deepEqual(page.rejected, [
      { venueSymbol: 'BTC', reason: 'no rate or time' },
      { venueSymbol: 'BTC', reason: 'no rate or time' },
    ]);
    assert.equal(page.next, null);
  });

  test('E3: whichever end of 750 rows is cut, a window of 2,000 hours comes whole', async () => {
    const first = atHour(22) - 2000 * 3600;
    const rows = Array.from({ length: 2001 }, (_, i) => ({
      timestamp: first + i * 3600,
      rate: '0.0001',
      direction: 'long',
    }));
    for (const cut of [(all: object[]) => all.slice(-750), (all: object[]) => all.slice(0, 750)]) {
      const send: SendRequest = async ({ query = {} }) => {
        const [from, to] = [Number(query.start_timestamp), Number(query.end_timestamp)];
        const inside = rows.filter(({ timestamp }) => timestamp >= from && timestamp <= to);
        return { payload: { code: 200, fundings: cut(inside) }, receivedAtMs: AT_MS };
      };
      const found = new Set<number>();
      let next: SettlementWindow | null = { fromMs: first * 1000, toMs: AT_MS };
      while (next) {
        const page: SettlementPage = await lighter.settlements(btc, next, { send, contracts });
        for (const print of page.settlements) found.add(print.settledAtMs);
        next = page.next;
      }
      assert.equal(found.size, 2001);
    }
  });

  test('a full reply to a short request has lost rows at an unknown end: it is a bad reply', () => {
    const row = { timestamp: atHour(20), rate: '0.0001', direction: 'long' };
    const fundings = Array.from({ length: 750 }, () => row);
    assert.throws(() => parseFundings({ code: 200, fundings }, btc, { fromMs: 0, toMs: AT_MS }), BadReply);
  });
});

suite('Lighter books and notices', () => {
  test('orders of one price make one level; what remains of an order counts, best first', () => {
    const order = (price: string, remaining: string) => ({
      price,
      initial_base_amount: '9',
      remaining_base_amount: remaining,
    });
    const depth = parseBookOrders(
      {
        code: 200,
        asks: [order('11', '1'), order('10', '0.5'), order('10', '0.25')],
        bids: [order('9', '2'), order('9', '0'), order('0', '1')],
      },
      btc,
    );
    assert.deepEqual(depth.asks, [
      [10, 0.75],
      [11, 1],
    ]);
    assert.deepEqual(depth.bids, [[9, 2]]);
  });

  test('a notice has no id of its own, so time and title make one; seconds and milliseconds are understood', () => {
    const batch = parseNotices({
      code: 200,
      announcements: [
        { title: 'New perpetual: SOON', content: 'Opens soon', created_at: 1_794_600_000, expired_at: 0 },
        { title: 'Maintenance', content: '', created_at: 1_794_600_000_000, expired_at: 0 },
        { title: 'No time', content: '', created_at: 0, expired_at: 0 },
      ],
    });
    assert.deepEqual(
      batch.announcements.map((notice) => [notice.id, notice.body, notice.publishedAtMs]),
      [
        ['1794600000000 New perpetual: SOON', 'Opens soon', 1_794_600_000_000],
        ['1794600000000 Maintenance', null, 1_794_600_000_000],
      ],
    );
    assert.deepEqual(batch.rejected, [{ venueSymbol: null, reason: 'notice without id, title or time' }]);
  });
});

const documented = (name: string) => () => sample('lighter', `Exchange__ExchangeData__${name}.txt`);

asSent(
  'lighter',
  {
    orderBookDetails: () => capture('lighter', 'http_order_book_details.json'),
    fundings: () => capture('lighter', 'http_fundings.json'),
    fundingRates: documented('GetFundingRates'),
    fundingsDocumented: documented('GetFundingRateHistory'),
    orderBookOrders: () => capture('lighter', 'http_order_book_orders.json'),
    announcement: documented('GetAnnouncements'),
  },
  (sent) => {
    test('orderBookDetails: margin fractions are basis points, volume is USDC', () => {
      const batch = parseMarkets(sent('orderBookDetails'), new Map(), AT_MS);
      assert.deepEqual(batch.rejected, []);
      const [eth] = batch.contractList?.contracts ?? [];
      // A margin of 200 of 10,000 is a leverage of 50.
      assert.deepEqual(
        [eth?.venueId, eth?.base, eth?.status, eth?.maxLeverage, eth?.intervalHours],
        ['0', 'ETH', 'trading', 50, 1],
      );
      // The volume agrees with its coins: 195,399.1521 ETH at about 2,357.6.
      assert.deepEqual(batch.dayVolumes, [
        { venueSymbol: 'ETH', volume24hUsdt: 460_664_167.955905, referencePrice: 2361.31 },
      ]);
    });

    test('C2: fundings are percents, for value is price times rate over a hundred; direction is the sign', () => {
      const eth: Contract = { ...btc, venueSymbol: 'ETH', venueId: '0' };
      const page = parseFundings(sent('fundings'), eth, { fromMs: 0, toMs: 1_778_710_000_000 });
      // 0.02707872 / (0.0012 / 100) is a price of 2,256.56, and 0.00452778 / (0.0002 / 100) one of 2,263.89.
      assert.deepEqual(
        page.settlements.map((print) => [print.ratePct, print.settledAtMs]),
        [
          [0.0012, Date.UTC(2026, 4, 13, 20)],
          [-0.0002, Date.UTC(2026, 4, 13, 21)],
        ],
      );
      const [old] = parseFundings(sent('fundingsDocumented'), btc, { fromMs: 0, toMs: AT_MS }).settlements;
      assert.deepEqual([old?.ratePct, old?.settledAtMs], [0.0001, Date.UTC(2022, 0, 1)]);
    });

    test('rates of other venues and notices without a time are left out', () => {
      const rates = parseFundingRates(sent('fundingRates'), context);
      assert.deepEqual([rates.fundingQuotes, rates.ignored.get('rate of another venue')], [[], 1]);
      assert.equal(parseNotices(sent('announcement')).rejected.length, 1);
    });

    test('funding-rates: a fraction of eight hours, of which one hour pays an eighth', () => {
      const { fundingQuotes } = parseFundingRates(sent('fundingRatesOf2026'), context);
      // 0.000096 × 100 / 8.
      assert.deepEqual(
        fundingQuotes.map((q) => [q.venueSymbol, q.ratePct, q.intervalHours, q.nextFundingAtMs]),
        [['BTC', 0.0012, 1, Date.UTC(2026, 10, 14, 23)]],
      );
    });

    test('orders become a book', () => {
      const depth = parseBookOrders(sent('orderBookOrders'), btc);
      assert.deepEqual([depth.bids, depth.asks], [[[2361.17, 3.4125]], [[2361.32, 0.0317]]]);
    });
  },
);
