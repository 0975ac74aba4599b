import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { asSent, rowsOf } from '../../../test/support/as-sent.ts';
import { fakeContract } from '../../../test/venues/fake-venue.ts';
import { CallError } from '../../base/http/http-client.ts';
import { DAY_MS } from '../../base/times.ts';
import { parseBookTickers, parseDepth } from '../binance/parse.ts';
import type { Contract } from '../observations.ts';
import { BadReply } from '../reading.ts';
import type { SendRequest, VenueRequest } from '../venue.ts';
import {
  parseDayTickers,
  parseExchangeInfo,
  parseFundingRates,
  parsePremiumIndex,
  windowStartMs,
} from './parse.ts';
import { weex } from './venue.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(`${import.meta.dirname}/fixtures/${name}.json`, 'utf8'));

const listed = parseExchangeInfo(fixture('exchange-info'));
const contracts = new Map((listed.contractList?.contracts ?? []).map((c) => [c.venueSymbol, c]));
const context = { receivedAtMs: 1_794_697_200_500, contracts };

function contractOf(venueSymbol: string): Contract {
  const contract = contracts.get(venueSymbol);
  if (!contract) throw new Error(`no ${venueSymbol} in the fixture`);
  return contract;
}

suite('WEEX contracts', () => {
  test('perpetuals in USDT are taken, demo and dated contracts ignored, bad rows rejected with a reason', () => {
    assert.deepEqual([...contracts.keys()], ['BTCUSDT', '1000PEPEUSDT', 'USDCUSDT', 'TONUSDT']);
    assert.deepEqual(
      [...listed.ignored],
      [
        ['not settled in its quote', 1],
        ['not a perpetual', 1],
      ],
    );
    assert.deepEqual(listed.rejected, [
      { venueSymbol: 'ODDUSDT', reason: 'no base or quote' },
      { venueSymbol: null, reason: 'no symbol' },
    ]);
  });

  test('the list has no status: what is listed trades', () => {
    const { status, listedAtMs, delistsAtMs } = contractOf('BTCUSDT');
    assert.deepEqual([status, listedAtMs, delistsAtMs], ['trading', null, null]);
  });

  test('F1: the base keeps its multiplier as the venue spells it', () => {
    assert.equal(contractOf('1000PEPEUSDT').base, '1000PEPE');
  });

  test('contractVal is the step of an order, never the unit of a size', () => {
    assert.deepEqual([contractOf('BTCUSDT').contractSize, contractOf('1000PEPEUSDT').contractSize], [1, 1]);
  });

  test('a contract with another taker fee than 0.08 % carries its own; leverage is per contract', () => {
    assert.deepEqual(
      [contractOf('BTCUSDT').takerFeePct, contractOf('USDCUSDT').takerFeePct],
      [undefined, 0.16],
    );
    assert.deepEqual([contractOf('BTCUSDT').maxLeverage, contractOf('1000PEPEUSDT').maxLeverage], [400, 75]);
  });

  test('F3: the class follows underlyingType; JP225 is filed as a coin and is an index, PAXG as a metal and is a coin', () => {
    const classOf = (baseAsset: string, underlyingType: string, contractType = 'TRADIFI_PERPETUAL') => {
      const row = { symbol: 'X', baseAsset, quoteAsset: 'USDT', marginAsset: 'USDT' };
      const symbols = [{ ...row, underlyingType, contractType }];
      return parseExchangeInfo({ symbols }).contractList?.contracts[0]?.assetClass;
    };
    assert.equal(classOf('JP225', 'COIN', 'PERPETUAL'), 'index');
    assert.equal(classOf('CAT', 'COIN', 'PERPETUAL'), 'crypto');
    assert.equal(classOf('META', 'Stocks'), 'stock');
    assert.equal(classOf('OPENAI', 'Pre-IPO'), 'stock');
    assert.equal(classOf('KOSPI', 'Indices'), 'index');
    assert.equal(classOf('XAG', 'Metals'), 'commodity');
    assert.equal(classOf('PAXG', 'Metals'), 'crypto');
    assert.equal(classOf('CL', 'Commodities'), 'commodity');
    assert.equal(classOf('EUR', 'Forex'), 'forex');
    assert.equal(classOf('NEWKIND', 'Something else'), 'stock');
  });

  test('a renamed coin (TON, shown as GRAM) keeps the name of its symbol; the table of aliases renames it', () => {
    assert.equal(contractOf('TONUSDT').base, 'TON');
  });

  test('an error body is a bad reply, not an empty list', () => {
    assert.throws(() => parseExchangeInfo({ code: -1003, msg: 'Too many requests' }), BadReply);
    assert.throws(() => parsePremiumIndex({ code: -1142 }, context), BadReply);
  });
});

suite('WEEX funding', () => {
  const quoted = parsePremiumIndex(fixture('premium-index'), context);
  const quoteOf = (symbol: string) => quoted.fundingQuotes.find((quote) => quote.venueSymbol === symbol);

  test('B1, C7: forecastFundingRate is the running rate, lastFundingRate is charged already; zero is a value', () => {
    assert.deepEqual(
      quoted.fundingQuotes.map((quote) => [quote.venueSymbol, quote.ratePct]),
      [
        ['BTCUSDT', 0.00902],
        ['1000PEPEUSDT', -0.023325],
        ['USDCUSDT', 0],
      ],
    );
  });

  test('a row with lastFundingRate alone has no rate, and a delisted contract that still answers is not taken', () => {
    assert.deepEqual(quoted.rejected, [{ venueSymbol: 'TONUSDT', reason: 'no rate' }]);
    assert.equal(quoted.ignored.get('not in the contract list'), 1);
  });

  test('A1: collectCycle counts minutes and is per contract: 8, 4 and 1 hours', () => {
    assert.deepEqual(
      quoted.fundingQuotes.map((quote) => quote.intervalHours),
      [8, 4, 1],
    );
  });

  test('A7: a row without collectCycle has no interval, never 8', () => {
    const row = { symbol: 'BTCUSDT', forecastFundingRate: '0.0001', nextFundingTime: 1_794_700_800_000 };
    assert.equal(parsePremiumIndex([row], context).fundingQuotes[0]?.intervalHours, null);
  });

  test('a next settlement in 1970 is unknown, and the rate stays', () => {
    assert.equal(quoteOf('USDCUSDT')?.nextFundingAtMs, null);
    assert.equal(quoteOf('BTCUSDT')?.nextFundingAtMs, 1_794_700_800_000);
  });

  test('the prices of premiumIndex are up to a minute old and are not taken', () => {
    assert.deepEqual(quoted.marketFigures, []);
  });
});

suite('WEEX prices and volumes', () => {
  test('quoteVolume is the turnover, mark and index are those of the ticker; a last price of 0 is none', () => {
    const batch = parseDayTickers(
      [
        {
          symbol: 'BTCUSDT',
          lastPrice: '96400.5',
          volume: '6536.8',
          quoteVolume: '630147520.5',
          markPrice: '96400.1',
          indexPrice: '96399.5',
        },
        { symbol: 'TONUSDT', lastPrice: '0', volume: '0.0', quoteVolume: '0.0', markPrice: '1.45' },
        { symbol: 'USDCUSDT', markPrice: '1' },
      ],
      context,
    );
    assert.deepEqual(batch.dayVolumes, [
      { venueSymbol: 'BTCUSDT', volume24hUsdt: 630_147_520.5, referencePrice: 96_400.1 },
      { venueSymbol: 'TONUSDT', volume24hUsdt: 0, referencePrice: 1.45 },
    ]);
    assert.deepEqual(batch.marketFigures[0], {
      venueSymbol: 'BTCUSDT',
      markPrice: 96_400.1,
      indexPrice: 96_399.5,
      openInterestUsdt: null,
    });
    assert.equal(batch.marketFigures[1]?.indexPrice, null);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'USDCUSDT', reason: 'no volume' }]);
  });

  test('sizes of tops and books are coins, not multiples of contractVal', () => {
    const row = { symbol: 'BTCUSDT', bidPrice: '96400', bidQty: '2.5807', askPrice: '96400.1', askQty: '1' };
    assert.equal(parseBookTickers([row], context).bookTops[0]?.bidSize, 2.5807);
    const book = { bids: [['96400', '2.5807']], asks: [['96400.1', '1']], lastUpdateId: 14_138_610_208 };
    const { bids, venueTimeMs } = parseDepth(book, contractOf('BTCUSDT'));
    assert.deepEqual([bids, venueTimeMs], [[[96_400, 2.5807]], null]);
  });
});

suite('WEEX settled prints', () => {
  const toMs = 1_794_697_200_000;
  const row = (fundingTime: number, fundingRate = '0.00006450') => ({
    symbol: 'BTCUSDT',
    fundingRate,
    fundingTime,
    markPrice: '96000',
  });

  test('a call covers at most seven days, and the walk goes on before them without a hole', () => {
    const window = { fromMs: toMs - 20 * DAY_MS, toMs };
    assert.equal(windowStartMs(window), toMs - 7 * DAY_MS + 1);
    const page = parseFundingRates([row(toMs - 3_600_000)], window);
    assert.deepEqual(page.settlements, [
      { venueSymbol: 'BTCUSDT', ratePct: 0.00645, settledAtMs: toMs - 3_600_000 },
    ]);
    assert.deepEqual(page.next, { fromMs: window.fromMs, toMs: toMs - 7 * DAY_MS });
  });

  test('seven days without a print do not end the walk; the start of the window does', () => {
    const window = { fromMs: toMs - 8 * DAY_MS, toMs };
    const empty = parseFundingRates([], window);
    assert.deepEqual(empty.next, { fromMs: window.fromMs, toMs: toMs - 7 * DAY_MS });
    assert.equal(parseFundingRates([], { fromMs: toMs - 6 * DAY_MS, toMs }).next, null);
  });

  test('E3: a full page continues before its oldest print, whatever the interval', () => {
    const window = { fromMs: toMs - 6 * DAY_MS, toMs };
    const rows = Array.from({ length: 1000 }, (_, i) => row(toMs - i * 60_000));
    assert.deepEqual(parseFundingRates(rows, window).next, {
      fromMs: window.fromMs,
      toMs: toMs - 999 * 60_000 - 1,
    });
  });

  const requests: VenueRequest[] = [];
  const refuse400: SendRequest = async (request) => {
    requests.push(request);
    if (request.query?.startTime !== undefined) throw new CallError('status', 'HTTP 400', 400);
    return { payload: [row(toMs)], receivedAtMs: toMs };
  };
  const window = { fromMs: toMs - 400 * DAY_MS, toMs: toMs - 390 * DAY_MS };

  test('a window of more than 365 days ago is refused and is empty, while the contract itself answers', async () => {
    const page = await weex.settlements(contractOf('BTCUSDT'), window, { send: refuse400, contracts });
    assert.deepEqual(page, { settlements: [], rejected: [], next: null });
    assert.deepEqual(requests[1]?.query, { symbol: 'BTCUSDT', limit: 1 });
  });

  test('a contract that the venue does not know is an error, as is any other status', async () => {
    for (const status of [400, 500]) {
      const send: SendRequest = () => Promise.reject(new CallError('status', `HTTP ${status}`, status));
      await assert.rejects(weex.settlements(contractOf('BTCUSDT'), window, { send, contracts }), CallError);
    }
  });

  test('a print without a rate is rejected by name', () => {
    const { rejected } = parseFundingRates([row(toMs, '')], { fromMs: 0, toMs });
    assert.deepEqual(rejected, [{ venueSymbol: 'BTCUSDT', reason: 'no rate or time' }]);
  });
});

asSent('weex', {}, (sent) => {
  const symbols = ['BTCUSDT', 'ETHUSDT', '1000PEPEUSDT', 'MTLUSDT'];
  const known = {
    receivedAtMs: 0,
    contracts: new Map(symbols.map((symbol) => [symbol, fakeContract(symbol)])),
  };

  test('contracts: a multiplier stays, CAT is a coin and CATSTOCK a share', () => {
    const list = parseExchangeInfo(sent('exchangeInfo')).contractList?.contracts ?? [];
    assert.deepEqual(
      rowsOf(list, '1000PEPEUSDT', 'CATUSDT', 'CATSTOCKUSDT').map((c) => [
        c.base,
        c.assetClass,
        c.contractSize,
      ]),
      [
        ['1000PEPE', 'crypto', 1],
        ['CAT', 'crypto', 1],
        ['CATSTOCK', 'stock', 1],
      ],
    );
  });

  test('rates: the forecast, not the last one; collectCycle counts minutes', () => {
    assert.deepEqual(
      rowsOf(
        parsePremiumIndex(sent('premiumIndex'), known).fundingQuotes,
        '1000PEPEUSDT',
        'ETHUSDT',
        'MTLUSDT',
      ).map((q) => [q.ratePct, q.intervalHours, q.nextFundingAtMs]),
      // 480 and 60 minutes.
      [
        [0.01, 8, Date.UTC(2026, 8, 14)],
        [0.005598, 8, Date.UTC(2026, 8, 14)],
        [-0.023325, 1, Date.UTC(2026, 8, 13, 22)],
      ],
    );
  });

  test('tickers and tops: turnover in USDT, sizes in coins', () => {
    const { dayVolumes, marketFigures } = parseDayTickers(sent('ticker24hr'), known);
    // quoteVolume agrees with volume: 623,160.426 ETH at about 2,103.
    assert.equal(dayVolumes[0]?.volume24hUsdt, 1_310_647_345.193_46);
    assert.deepEqual([marketFigures[0]?.markPrice, marketFigures[0]?.indexPrice], [2081.8, 2082.75]);
    const [top] = parseBookTickers(sent('bookTicker'), known).bookTops;
    assert.deepEqual(
      [top?.bidPrice, top?.bidSize, top?.askPrice, top?.askSize, top?.venueTimeMs],
      [69_350.1, 12.5, 69_351, 8.3, 1_764_505_776_000],
    );
  });

  test('a settled rate and a book', () => {
    const window = { fromMs: Date.UTC(2026, 3, 7), toMs: Date.UTC(2026, 3, 8) };
    assert.deepEqual(parseFundingRates(sent('fundingRate'), window).settlements, [
      { venueSymbol: 'ETHUSDT', ratePct: 0.001031, settledAtMs: Date.UTC(2026, 3, 7, 16) },
    ]);
    const depth = parseDepth(sent('depth'), fakeContract('ETHUSDT'));
    assert.deepEqual([depth.bids, depth.asks], [[[2096.76, 49.162]], [[2096.77, 45.592]]]);
  });
});
