import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parseMarkPrices } from './backpack/parse.ts';
import { parsePremiumIndex as parseBinancePremiumIndex } from './binance/parse.ts';
import { parsePremiumIndex as parseBingxPremiumIndex } from './bingx/parse.ts';
import { parseTickers as parseBitgetTickers } from './bitget/parse.ts';
import { parseTickers as parseBybitTickers } from './bybit/parse.ts';
import { parseTickers as parseCoinexTickers } from './coinex/parse.ts';
import { countedOnce } from './counting/sides.ts';
import { parseBookSummaries, parseTicker as parseDeribitTicker } from './deribit/parse.ts';
import { parseMarkets as parseDydxMarkets } from './dydx/parse.ts';
import { parseMarkets as parseExtendedMarkets } from './extended/parse.ts';
import { parseTickers as parseGateTickers } from './gate/parse.ts';
import { gate } from './gate/venue.ts';
import { parseOpenInterest as parseHtxOpenInterest, parseIndices } from './htx/parse.ts';
import { parseMetaAndAssetCtxs } from './hyperliquid/parse.ts';
import { parseTickers as parseKrakenTickers } from './kraken/parse.ts';
import { parseContracts as parseKucoinContracts } from './kucoin/parse.ts';
import { addMarketFigures } from './lighter/parse.ts';
import { parseTickers as parseMexcTickers } from './mexc/parse.ts';
import { parseContracts as parseNadoContracts } from './nado/parse.ts';
import { nado } from './nado/venue.ts';
import { type Batch, type Contract, contractWith, emptyBatch } from './observations.ts';
import {
  parseIndexTickers,
  parseMarkPrices as parseOkxMarkPrices,
  parseOpenInterest as parseOkxOpenInterest,
} from './okx/parse.ts';
import { parseSummaries } from './paradex/parse.ts';
import { parseCoinMarginedTickers, parseTickers as parsePhemexTickers } from './phemex/parse.ts';
import { parseFutures } from './woox/parse.ts';

/** What each venue's figures mean, with numbers in which a wrong unit shows. */
const AT_MS = Date.UTC(2026, 10, 14, 9, 30);

const linear = (venueSymbol: string, contractSize = 1): Contract =>
  contractOf({ venueSymbol, base: 'BTC', quote: 'USDT', settle: 'USDT', isInverse: false, contractSize });
/** The contract size of an inverse contract is its face value in dollars. */
const inverse = (venueSymbol: string, contractSize = 1): Contract =>
  contractOf({ venueSymbol, base: 'BTC', quote: 'USD', settle: 'BTC', isInverse: true, contractSize });

function contractOf(
  facts: Pick<Contract, 'venueSymbol' | 'base' | 'quote' | 'settle' | 'isInverse' | 'contractSize'>,
): Contract {
  return contractWith({ ...facts, status: 'trading', venueStatus: 'trading', assetClass: 'crypto' });
}

const listed = (...contracts: Contract[]) => ({
  receivedAtMs: AT_MS,
  contracts: new Map(contracts.map((contract) => [contract.venueSymbol, contract])),
});

/** [mark price, index price, open interest in USDT] of each row. */
function figuresOf({ marketFigures }: Batch): (number | null)[][] {
  return marketFigures.map(({ markPrice, indexPrice, openInterestUsdt }) => [
    markPrice,
    indexPrice,
    openInterestUsdt,
  ]);
}

const fixture = (path: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, path), 'utf8'));

suite('mark price, index price and open interest', () => {
  test('Binance and Aster: both prices; premiumIndex has no open interest', () => {
    const rows = [
      { symbol: 'BTCUSDT', markPrice: '96412.50000000', indexPrice: '96420.1', lastFundingRate: '0.0001' },
      { symbol: 'BTCUSD_PERP', markPrice: '96400', indexPrice: '', lastFundingRate: '0.0001' },
    ];
    assert.deepEqual(
      figuresOf(parseBinancePremiumIndex(rows, listed(linear('BTCUSDT'), inverse('BTCUSD_PERP', 100)))),
      [
        [96412.5, 96420.1, null],
        [96400, null, null],
      ],
    );
  });

  test('Bybit: openInterest counts both sides, in coins or on inverse contracts in dollars', () => {
    const list = [
      {
        symbol: 'BTCUSDT',
        markPrice: '100',
        indexPrice: '101',
        openInterest: '8',
        singleOpenInterest: '4.5',
      },
      { symbol: 'ETHUSDT', markPrice: '100', indexPrice: '101', openInterest: '8' },
      { symbol: 'BTCUSD', markPrice: '100', indexPrice: '101', openInterest: '800', openInterestValue: '8' },
      { symbol: 'NEWUSDT', markPrice: '', indexPrice: '', openInterest: '0' },
    ];
    const context = listed(linear('BTCUSDT'), linear('ETHUSDT'), inverse('BTCUSD'), linear('NEWUSDT'));
    assert.deepEqual(figuresOf(parseBybitTickers({ retCode: 0, time: AT_MS, result: { list } }, context)), [
      [100, 101, 450],
      [100, 101, 400],
      [100, 101, 400],
    ]);
  });

  test('OKX: three calls; open interest is read in dollars, an index by the name of its contract', () => {
    const context = listed(linear('BTC-USDT-SWAP', 0.01), inverse('BTC-USD-SWAP', 100));
    const reply = (data: object[]) => ({ code: '0', data });
    const marks = [{ instId: 'BTC-USDT-SWAP', instType: 'SWAP', markPx: '100' }];
    assert.deepEqual(figuresOf(parseOkxMarkPrices(reply(marks), context)), [[100, null, null]]);
    const indices = [
      { instId: 'BTC-USD', idxPx: '101' },
      { instId: 'NOSWAP-USD', idxPx: '1' },
    ];
    assert.deepEqual(figuresOf(parseIndexTickers(reply(indices), context)), [[null, 101, null]]);
    const open = [{ instId: 'BTC-USDT-SWAP', oi: '5000', oiCcy: '50', oiUsd: '5003.2' }];
    assert.deepEqual(figuresOf(parseOkxOpenInterest(reply(open), context)), [[null, null, 5003.2]]);
  });

  test('HTX: value and volume are of one side; inverse rows have contracts only', () => {
    const context = listed(linear('BTC-USDT', 0.001), inverse('BTC-USD', 100));
    const reply = (data: object[]) => ({ status: 'ok', ts: AT_MS, data });
    const open = [
      { contract_code: 'BTC-USDT', volume: 10_000, amount: 10, value: 1000 },
      { contract_code: 'BTC-USD', volume: 50, amount: 50 },
    ];
    assert.deepEqual(figuresOf(parseHtxOpenInterest(reply(open), context)), [
      [null, null, 1000],
      [null, null, 5000],
    ]);
    const indices = [{ contract_code: 'BTC-USDT', index_price: 101 }];
    assert.deepEqual(figuresOf(parseIndices(reply(indices), context)), [[null, 101, null]]);
  });

  test('Bitget: holdingAmount is in coins, also where the contract settles in the coin', () => {
    const data = [
      { symbol: 'BTCUSDT', markPrice: '100', indexPrice: '101', holdingAmount: '2.5' },
      { symbol: 'BTCUSD', markPrice: '100', indexPrice: '101', holdingAmount: '2.5' },
    ];
    const context = listed(linear('BTCUSDT', 0.001), inverse('BTCUSD'));
    assert.deepEqual(figuresOf(parseBitgetTickers({ code: '00000', requestTime: AT_MS, data }, context)), [
      [100, 101, 250],
      [100, 101, 250],
    ]);
  });

  test('Gate: total_size counts the contracts of both sides', () => {
    const rows = [
      { contract: 'BTC_USDT', mark_price: '100', index_price: '101', total_size: '5000' },
      { contract: 'BTC_USD', mark_price: '100', index_price: '101', total_size: '5000' },
      // Recorded beside a position_size of 8648.
      { contract: 'GAS_USDT', mark_price: '10', index_price: '10', total_size: '17296' },
    ];
    const context = listed(linear('BTC_USDT', 0.0001), inverse('BTC_USD'), linear('GAS_USDT'));
    assert.deepEqual(figuresOf(countedOnce(parseGateTickers(rows, context), gate.facts.counts)), [
      [100, 101, 25],
      [100, 101, 2500],
      [10, 10, 86_480],
    ]);
  });

  test('MEXC: fairPrice is the mark price, holdVol a number of contracts', () => {
    const data = [
      { symbol: 'BTC_USDT', fairPrice: 100, indexPrice: 101, holdVol: 5000, amount24: 1 },
      { symbol: 'BTC_USD', fairPrice: 100, indexPrice: 101, holdVol: 50, volume24: 1 },
    ];
    const context = listed(linear('BTC_USDT', 0.0001), inverse('BTC_USD', 100));
    assert.deepEqual(figuresOf(parseMexcTickers({ success: true, data }, context)), [
      [100, 101, 50],
      [100, 101, 5000],
    ]);
  });

  test('KuCoin: openInterest is a number of lots', () => {
    const reply = fixture('kucoin/fixtures/contracts.json') as { data: Record<string, unknown>[] };
    const figures = { markPrice: 100, indexPrice: 101, openInterest: '5000' };
    const data = reply.data.slice(0, 2).map((row) => ({ ...row, ...figures }));
    assert.deepEqual(figuresOf(parseKucoinContracts({ code: '200000', data }, AT_MS)), [
      [100, 101, 500],
      [100, 101, 5000],
    ]);
  });

  test('BingX: both prices; premiumIndex has no open interest', () => {
    const data = [{ symbol: 'BTC-USDT', markPrice: '100', indexPrice: '101', lastFundingRate: '0.0001' }];
    const batch = parseBingxPremiumIndex({ code: 0, data }, listed(linear('BTC-USDT')));
    assert.deepEqual(figuresOf(batch), [[100, 101, null]]);
  });

  test('CoinEx: both prices; the ticker has no open interest', () => {
    const data = [{ market: 'BTCUSDT', mark_price: '100', index_price: '101', last: '99', value: '1' }];
    const batch = parseCoinexTickers({ code: 0, data }, listed(linear('BTCUSDT')));
    assert.deepEqual(figuresOf(batch), [[100, 101, null]]);
  });

  test('WOOX: openInterest is in coins; a row without an index price keeps the rest', () => {
    const rows = [
      { symbol: 'PERP_BTC_USDT', markPrice: '100', indexPrice: '101', openInterest: '221.3498' },
      { symbol: 'PERP_SOLV_USDT', markPrice: '100', indexPrice: null, openInterest: '2' },
    ];
    const context = listed(linear('PERP_BTC_USDT'), linear('PERP_SOLV_USDT'));
    assert.deepEqual(figuresOf(parseFutures({ success: true, data: { rows } }, context)), [
      [100, 101, 22134.98],
      [100, null, 200],
    ]);
  });

  test('Kraken: openInterest is in coins on PF and in dollars on PI contracts', () => {
    const tickers = [
      { symbol: 'PF_XBTUSD', markPrice: 100, indexPrice: 101, openInterest: 2.5 },
      { symbol: 'PI_XBTUSD', markPrice: 100, indexPrice: 101, openInterest: 5000 },
    ];
    const context = listed(linear('PF_XBTUSD'), inverse('PI_XBTUSD'));
    const reply = { result: 'success', serverTime: '2026-11-14T09:30:00Z', tickers };
    assert.deepEqual(figuresOf(parseKrakenTickers(reply, context)), [
      [100, 101, 250],
      [100, 101, 5000],
    ]);
  });

  test('Deribit: open_interest is in coins on linear and in dollars on inverse contracts, whatever their size', () => {
    const context = listed(linear('SOL_USDC-PERPETUAL', 0.1), inverse('BTC-PERPETUAL', 10));
    const result = [
      { instrument_name: 'SOL_USDC-PERPETUAL', mark_price: 100, open_interest: 2.5 },
      { instrument_name: 'BTC-PERPETUAL', mark_price: 100, open_interest: 5000 },
    ];
    assert.deepEqual(figuresOf(parseBookSummaries({ result }, context)), [
      [100, null, 250],
      [100, null, 5000],
    ]);
    const push = { instrument_name: 'BTC-PERPETUAL', timestamp: AT_MS, index_price: 101 };
    assert.deepEqual(figuresOf(parseDeribitTicker(push, context)), [[null, 101, null]]);
  });

  test('Phemex: openInterestRv is in coins in spite of its name; coin-margined prices are scaled', () => {
    const result = [
      { symbol: 'BTCUSDT', markPriceRp: '100', indexPriceRp: '101', openInterestRv: '2.5' },
      { symbol: 'ETHUSDT', markRp: '100', indexRp: '101', openInterestRv: '2.5' },
    ];
    const context = listed(linear('BTCUSDT'), linear('ETHUSDT'));
    assert.deepEqual(figuresOf(parsePhemexTickers({ error: null, result }, context)), [
      [100, 101, 250],
      [100, 101, 250],
    ]);
    const scaled = [
      { symbol: 'BTCUSD', markEp: 1_000_000, indexEp: 1_010_000, openInterest: 5000, volume: 1 },
    ];
    assert.deepEqual(
      figuresOf(parseCoinMarginedTickers({ error: null, result: scaled }, listed(inverse('BTCUSD')))),
      [[100, 101, 5000]],
    );
  });

  test('the venue’s own count stands beside a value: OKX, HTX, Gate, Nado and Extended', () => {
    const countOf = ({ marketFigures }: Batch) => marketFigures[0]?.openInterestCount;
    const okx = { code: '0', data: [{ instId: 'BTC-USDT-SWAP', oi: '5001', oiUsd: '480000.7' }] };
    assert.equal(countOf(parseOkxOpenInterest(okx, listed(linear('BTC-USDT-SWAP', 0.01)))), 5001);
    const htx = { status: 'ok', data: [{ contract_code: 'BTC-USDT', volume: 359, value: 34_500.1 }] };
    assert.equal(countOf(parseHtxOpenInterest(htx, listed(linear('BTC-USDT', 0.001)))), 359);
    const tickers = [{ contract: 'BTC_USDT', mark_price: '100', total_size: '17296' }];
    assert.equal(
      countOf(countedOnce(parseGateTickers(tickers, listed(linear('BTC_USDT', 0.0001))), gate.facts.counts)),
      8648,
    );
    const contracts = {
      BTC: { base_currency: 'BTC-PERP', mark_price: 100, open_interest: 7.1, open_interest_usd: 710 },
    };
    assert.equal(
      countOf(countedOnce(parseNadoContracts(contracts, listed(linear('BTC-PERP'))), nado.facts.counts)),
      3.55,
    );
    assert.equal(countOf(parseExtendedMarkets(fixture('extended/fixtures/markets.json'))), 500);
  });

  test('Hyperliquid: openInterest is in coins; the oracle price is the index', () => {
    const batch = parseMetaAndAssetCtxs(fixture('hyperliquid/fixtures/meta-and-asset-ctxs.json'), AT_MS);
    assert.deepEqual(figuresOf(batch)[0], [96_420, 96_410, 27_000.5 * 96_420]);
  });

  test('dYdX: openInterest is in coins; the oracle price is mark and index', () => {
    const batch = parseDydxMarkets(fixture('dydx/fixtures/perpetual-markets.json'), AT_MS);
    assert.deepEqual(figuresOf(batch)[0], [96_400.5, 96_400.5, 610.1 * 96_400.5]);
    assert.deepEqual(figuresOf(batch)[1], [0.0000117, 0.0000117, null], 'a row without open interest');
  });

  test('Lighter: open_interest is in coins in the list and in USDC in the stream', () => {
    const batch = emptyBatch();
    const row = { mark_price: '100', index_price: '101', open_interest: '2.5' };
    addMarketFigures(batch, linear('ETH'), row, 'base');
    addMarketFigures(batch, linear('ETH'), { last_trade_price: 100, open_interest: 2.5 }, 'base');
    assert.deepEqual(figuresOf(batch), [[100, 101, 250]], 'without a mark price there is no value');
    const streamed = emptyBatch();
    // As it was sent in June 2026: 102 million dollars, with 23,621 BTC traded a day.
    const stats = { mark_price: '64356.3', index_price: '64400.1', open_interest: '102123609.308856' };
    addMarketFigures(streamed, linear('BTC'), stats, 'quote');
    assert.deepEqual(figuresOf(streamed), [[64_356.3, 64_400.1, 102_123_609.308856]]);
  });

  test('Paradex: open_interest is in coins; the underlying price is the index', () => {
    const results = [
      { symbol: 'BTC-USD-PERP', mark_price: '100', underlying_price: '101', open_interest: '2.5' },
    ];
    const batch = parseSummaries({ results }, listed(linear('BTC-USD-PERP')));
    assert.deepEqual(figuresOf(batch), [[100, 101, 250]]);
  });

  test('Backpack: both prices; markPrices has no open interest', () => {
    const rows = [{ symbol: 'BTC_USDC_PERP', markPrice: '100', indexPrice: '101', fundingRate: '0.0001' }];
    const batch = parseMarkPrices(rows, listed(linear('BTC_USDC_PERP')));
    assert.deepEqual(figuresOf(batch), [[100, 101, null]]);
  });
});
