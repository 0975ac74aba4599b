import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { rateText, type SimRequest, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const PERIOD_MS = 8 * HOUR_MS;
const CODES: Readonly<Record<string, string>> = {
  ...{ USDT: 'UST', ALGO: 'ALG', ATOM: 'ATO', IOTA: 'IOT' },
  ES35: 'SPAIN35IX',
};
const codeOf = (currency: string) => `${CODES[currency] ?? currency}F0`;

/** Test money trades in the same lists, at prices of its own. */
const PAPER = 'TESTBTCF0:TESTUSDTF0';
const pairOf = ({ venueSymbol }: SimContract) => venueSymbol.slice(1);
const details = (margin: number) => [null, null, null, '0.00004', '100.0', null, null, null, margin, 0.005];
const number = (rateE8: number) => Number(rateText(rateE8));

/** A spot price that is off and an accrued rate of the settlement after the next one stand beside the true figures. */
function statusRow(contract: SimContract, view: SimView): unknown[] {
  const quote = view.quote(contract);
  const mid = (quote.bidPrice + quote.askPrice) / 2;
  const wholeMs = view.nowMs - (view.nowMs % (3 * SECOND_MS));
  return [
    ...[contract.venueSymbol, wholeMs, null, mid, quote.indexPrice * 0.9, null, 36_950_860.76, null],
    ...[quote.nextFundingAtMs, number(quote.rateE8 + 1250), 82, null, number(quote.rateE8), null, null],
    ...[
      quote.indexPrice,
      null,
      null,
      quote.openInterestContracts,
      null,
      null,
      null,
      0.0005,
      contract.rateCap,
    ],
  ];
}

function paperStatus({ nowMs }: SimView): unknown[] {
  const nextMs = nowMs - (nowMs % PERIOD_MS) + PERIOD_MS;
  const figures = [`t${PAPER}`, nowMs, null, 64_000, 64_010, null, 0, null, nextMs, 0, 0, null, 0.0001];
  return [...figures, null, null, 64_005, null, null, 12.5, null, null, null, 0.0005, 0.0025];
}

/** Sizes are the sums of the 25 best orders. */
function ticker(contract: SimContract, view: SimView): unknown[] {
  const quote = view.quote(contract);
  const coins = quote.volume24hUsd / (quote.lastPrice * quote.quoteCoinUsd);
  return [
    ...[
      contract.venueSymbol,
      quote.bidPrice,
      25 * quote.bidContracts,
      quote.askPrice,
      25 * quote.askContracts,
    ],
    ...[0, 0, quote.lastPrice, coins, quote.lastPrice * 1.02, quote.lastPrice * 0.98],
  ];
}

/** A contract of test money, a spot pair, and the rate of a loan, whose row has other positions. */
const OTHER_TICKERS = [
  [`t${PAPER}`, 63_990, 4, 64_020, 5, 0, 0, 64_000, 120, 64_400, 63_100],
  ['tBTCUSD', 10_645, 73.93854271, 10_647, 75.22266119, 731.6, 0.0738, 10_644, 14_480.89, 10_766, 9889.1],
  [
    'fUSD',
    0.0003,
    0.0002,
    30,
    3_106_722.5,
    0.00016,
    2,
    1_024,
    0,
    0,
    0.00016,
    14_480,
    0.0004,
    0.0001,
    0,
    0,
    5,
  ],
];

/** The minutes before `end`, newest first: each with the next settlement and its rate, one position lower than the status. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): unknown[] {
  const endMs = Math.min(Number(query.get('end') ?? view.nowMs), view.nowMs);
  const startMs = Number(query.get('start') ?? 0);
  const limit = Number(query.get('limit') ?? 125);
  const newestMs = endMs - (endMs % MINUTE_MS);
  const minutes = Array.from({ length: limit }, (_, i) => newestMs - i * MINUTE_MS);
  return minutes
    .filter((atMs) => atMs >= Math.max(startMs, contract.listedAtMs))
    .map((atMs) => {
      const nextMs = atMs - (atMs % PERIOD_MS) + PERIOD_MS;
      const [settled] = view.settlements(contract, nextMs, nextMs);
      const { rateE8 } = settled ?? view.quote(contract);
      const empty = [null, null, null];
      return [
        atMs,
        null,
        1,
        1,
        null,
        1,
        null,
        nextMs,
        number(rateE8 + 1250),
        82,
        null,
        number(rateE8),
        ...empty,
      ];
    });
}

/** Bids first, then asks with negative sizes. */
function book(contract: SimContract, levels: number, view: SimView): unknown[] {
  const { bids, asks } = view.book(contract, levels);
  return [
    ...bids.map(([price, size]) => [price, 1, size]),
    ...asks.map(([price, size]) => [price, 1, -size]),
  ];
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const [, call, ...rest] = path.split('/');
  const wanted = view.find(rest.find((part) => part.startsWith('t')) ?? '');
  const invalid = ['error', 10020, 'symbol: invalid'];
  switch (call) {
    case 'conf':
      return (rest[0] ?? '').split(',').map((label) => {
        if (label !== 'pub:info:pair:futures') return [];
        const margins = view.open.map((contract) => [pairOf(contract), details(1 / contract.maxLeverage)]);
        return [[PAPER, details(0.01)], ...margins];
      });
    case 'status': {
      if (rest.at(-1) === 'hist') return wanted ? history(wanted, query, view) : [];
      const keys = query.get('keys')?.split(',') ?? [];
      const isWanted = ({ venueSymbol }: SimContract) => keys[0] === 'ALL' || keys.includes(venueSymbol);
      const rows = view.open.filter(isWanted).map((contract) => statusRow(contract, view));
      return keys[0] === 'ALL' ? [...rows, paperStatus(view)] : rows;
    }
    case 'tickers':
      return [...OTHER_TICKERS, ...view.open.map((contract) => ticker(contract, view))];
    case 'book': {
      if (rest[1] !== 'P0') return undefined;
      const levels = Number(query.get('len') ?? 25);
      if (![1, 25, 100, 250].includes(levels)) return ['error', 10020, 'len: invalid'];
      return wanted ? book(wanted, levels, view) : invalid;
    }
    default:
      return undefined;
  }
}

export const bitfinex: SimVenue = {
  profile: {
    slug: 'bitfinex',
    exchange: 'Bitfinex',
    quotes: ['USDT'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    crossPairs: [
      ['ETH', 'BTC'],
      ['LTC', 'BTC'],
    ],
    intervals: [8],
    rateCap: 0.0025,
    rateCaps: { SOL: 0.025 },
    coverage: 0.4,
    multipliedBase: null,
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 1 : 0),
    venueSymbol: ({ base, quote }) => `t${codeOf(base)}:${codeOf(quote)}`,
  },
  http,
  givesSizes: false,
  // There is no mark price but the index.
  publishes: (_contract, { indexPrice }) => ({ markPrice: indexPrice }),
};
