import type { Contract } from '../../src/venues/observations.ts';

/** What is compared with ccxt on the same reply; `inverse` fields only where a venue has coin-margined contracts. */
export const FIELDS = [
  'contract size',
  'rate',
  'fundingTimestamp',
  'nextFundingTimestamp',
  'interval',
  'bid',
  'bid size',
  'volume',
  'book price',
  'book size',
  'history',
  'inverse contract size',
  'inverse book size',
  'inverse history',
] as const;
export type Field = (typeof FIELDS)[number];

export interface Pair {
  contract: Contract;
  price: number;
  ours: number | string;
  ccxt: number | string | undefined;
}

export interface Difference {
  why: string;
  /** What must hold between the two values, so that the reason is tested and not only stated. */
  by?: (pair: Pair) => boolean;
}

/** A field that is named nowhere must be the same in both for every contract. */
interface Verdicts {
  differs?: Partial<Record<Field, Difference>>;
  /** ccxt has no value where the venue does. */
  silent?: Partial<Record<Field, string>>;
  /** There is no reply that both read, so nothing can be compared. */
  incomparable?: Partial<Record<Field, string>>;
}

const near = (a: number, b: number) => Math.abs(a - b) <= Math.abs(b) * 1e-6;
const times =
  (factor: (pair: Pair) => number) =>
  (pair: Pair): boolean =>
    near(Number(pair.ccxt) * factor(pair), Number(pair.ours));

const IN_CONTRACTS: Difference = {
  why: 'ccxt leaves sizes in contracts, ours are base units',
  by: times(({ contract }) => contract.contractSize),
};
const IN_FACE_VALUE: Difference = {
  why: 'ccxt leaves sizes in contracts of a face value, ours are base units',
  by: times(({ contract, price }) => contract.contractSize / price),
};
const BOTH_SIDES: Difference = { why: 'ccxt counts both sides of a trade', by: times(() => 1 / 2) };
const IN_QUOTE_COIN: Difference = {
  why: 'ccxt leaves the turnover of ETHBTC in BTC, ours is USDT',
  by: ({ contract, ours, ccxt }) =>
    contract.quote === 'BTC' && Number(ours) / Number(ccxt) > 50_000 && Number(ours) / Number(ccxt) < 200_000,
};
const RAW_MILLISECONDS: Difference = {
  why: 'ccxt knows only some intervals and gives the others as raw milliseconds',
  by: ({ ours, ccxt }) => Number(ccxt) === Number.parseInt(String(ours), 10) * 3_600_000,
};
const NO_BULK_TOP = 'ccxt takes no bid and ask from the bulk tickers, ours come over the stream';
const OTHER_TIME = 'ccxt leaves the field empty and uses the other one';
const NO_TIME = 'the reply has a time, or the venue a fixed grid; ccxt gives none';
const OTHER_CALL = 'ccxt asks another call than ours';
const NO_SIZES = 'ccxt drops the sizes of the ticker';

export const VERDICTS: Readonly<Record<string, Verdicts>> = {
  binance: {
    silent: {
      nextFundingTimestamp: OTHER_TIME,
      interval: 'ccxt does not join fundingInfo to premiumIndex',
    },
    differs: { volume: IN_QUOTE_COIN, 'inverse book size': IN_FACE_VALUE },
  },
  bybit: {
    silent: {
      nextFundingTimestamp: OTHER_TIME,
      'inverse contract size': 'ccxt leaves it undefined; one contract is one dollar',
    },
    differs: { 'inverse book size': IN_FACE_VALUE },
  },
  okx: {
    silent: { volume: 'ccxt gives no turnover for swaps, and contracts as base volume' },
    differs: {
      nextFundingTimestamp: {
        why: 'ccxt means the settlement after the next one',
        by: ({ ours, ccxt }) => Number(ccxt) > Number(ours),
      },
      interval: RAW_MILLISECONDS,
      'bid size': IN_CONTRACTS,
      'book size': IN_CONTRACTS,
      'inverse book size': IN_FACE_VALUE,
    },
  },
  bitget: {
    silent: {
      fundingTimestamp: 'the default method of ccxt reads tickers, which have no settlement time',
      nextFundingTimestamp: OTHER_TIME,
      interval: 'the default method of ccxt reads tickers, which have no interval',
    },
  },
  gate: {
    silent: { nextFundingTimestamp: OTHER_TIME, 'bid size': NO_SIZES },
    differs: { 'book size': IN_CONTRACTS, 'inverse book size': IN_FACE_VALUE },
  },
  mexc: {
    silent: { 'bid size': NO_BULK_TOP },
    differs: { 'book size': IN_CONTRACTS, 'inverse book size': IN_FACE_VALUE },
    incomparable: {
      rate: OTHER_CALL,
      fundingTimestamp: OTHER_CALL,
      nextFundingTimestamp: OTHER_CALL,
      interval: OTHER_CALL,
    },
  },
  kucoin: {
    differs: { volume: BOTH_SIDES, 'bid size': IN_CONTRACTS },
    incomparable: {
      rate: OTHER_CALL,
      fundingTimestamp: OTHER_CALL,
      nextFundingTimestamp: OTHER_CALL,
      interval: OTHER_CALL,
      'book price': OTHER_CALL,
      'book size': OTHER_CALL,
      'inverse book size': OTHER_CALL,
    },
  },
  htx: {
    differs: {
      'bid size': IN_CONTRACTS,
      volume: { why: 'ccxt takes the count of contracts for the turnover' },
      'book size': IN_CONTRACTS,
      'inverse book size': IN_FACE_VALUE,
    },
    incomparable: {
      rate: OTHER_CALL,
      fundingTimestamp: OTHER_CALL,
      nextFundingTimestamp: OTHER_CALL,
      interval: OTHER_CALL,
      history: OTHER_CALL,
    },
  },
  bingx: {
    silent: { fundingTimestamp: OTHER_TIME },
    differs: { 'inverse book size': IN_FACE_VALUE },
    incomparable: { 'inverse history': 'ccxt refuses coin-margined contracts' },
  },
  coinex: {
    silent: { bid: NO_BULK_TOP },
    differs: {
      rate: { why: 'ccxt gives the last settled rate, ours is the one to be paid next' },
      fundingTimestamp: {
        why: 'ccxt means the last settlement',
        by: ({ ours, ccxt }) => Number(ccxt) < Number(ours),
      },
      interval: RAW_MILLISECONDS,
      'bid size': { why: 'ccxt takes traded volumes for the sizes of the top' },
      'inverse book size': IN_FACE_VALUE,
    },
  },
  woox: {
    silent: { nextFundingTimestamp: OTHER_TIME, bid: NO_BULK_TOP, 'bid size': NO_BULK_TOP },
    differs: {
      history: {
        why: 'ccxt does not ask for a page size and loses what is beyond the first 25 rows',
        by: ({ ccxt }) => ccxt === undefined,
      },
    },
  },
  weex: {
    differs: {
      'contract size': { why: 'ccxt takes the step of an order for it; quantities are base units' },
      rate: { why: 'ccxt gives the last settled rate, ours is the one to be paid next' },
      fundingTimestamp: {
        why: 'ccxt gives the time of the reply',
        by: ({ ours, ccxt }) => Number(ccxt) < Number(ours),
      },
    },
  },
  toobit: {
    silent: {
      nextFundingTimestamp: OTHER_TIME,
      interval: 'ccxt does not read period',
      bid: 'ccxt requests the tops of spot pairs alone',
      'bid size': 'ccxt requests the tops of spot pairs alone',
    },
    differs: { 'book size': IN_CONTRACTS },
  },
  blofin: {
    silent: {
      nextFundingTimestamp: OTHER_TIME,
      interval: 'ccxt does not read fundingInterval',
    },
    differs: {
      'bid size': IN_CONTRACTS,
      volume: { why: 'ccxt takes the volume in coins for the turnover' },
      'book size': IN_CONTRACTS,
      'inverse book size': IN_FACE_VALUE,
    },
  },
  xt: {
    differs: {
      'bid size': IN_CONTRACTS,
      'book size': IN_CONTRACTS,
      'inverse book size': IN_FACE_VALUE,
    },
    incomparable: {
      rate: OTHER_CALL,
      fundingTimestamp: OTHER_CALL,
      nextFundingTimestamp: OTHER_CALL,
      interval: OTHER_CALL,
    },
  },
  kraken: {
    silent: {
      fundingTimestamp: NO_TIME,
      nextFundingTimestamp: NO_TIME,
      volume: 'ccxt gives no turnover for linear contracts',
    },
    differs: {
      rate: {
        why: 'ccxt divides the absolute rate by the mark price, ours is the relative rate to the digit',
      },
      'inverse book size': IN_FACE_VALUE,
    },
    incomparable: { history: OTHER_CALL, 'inverse history': OTHER_CALL },
  },
  deribit: {
    silent: { fundingTimestamp: NO_TIME, nextFundingTimestamp: NO_TIME },
    differs: {
      'contract size': { why: 'ccxt counts linear contracts by lot, the book counts base units' },
      history: {
        why: 'ccxt takes the interest of eight hours, ours is the hourly print',
        by: ({ ours, ccxt }) => near(Number(ccxt), Number(ours) * 8),
      },
      'inverse history': {
        why: 'ccxt takes the interest of eight hours, ours is the hourly print',
        by: ({ ours, ccxt }) => near(Number(ccxt), Number(ours) * 8),
      },
      'inverse book size': {
        why: 'ccxt leaves sizes in dollars, ours are base units',
        by: times(({ price }) => 1 / price),
      },
    },
    incomparable: {
      rate: 'ccxt requests the interest of the past eight hours, ours is the running rate',
      bid: OTHER_CALL,
      'bid size': OTHER_CALL,
      volume: OTHER_CALL,
    },
  },
  phemex: {
    differs: {
      'contract size': {
        why: 'ccxt gives 0 to a contract in USDC whose row has no contract size',
        by: ({ contract, ccxt }) => contract.settle === 'USDC' && ccxt === 0,
      },
      'inverse book size': IN_FACE_VALUE,
    },
    incomparable: {
      rate: OTHER_CALL,
      fundingTimestamp: OTHER_CALL,
      nextFundingTimestamp: OTHER_CALL,
      interval: OTHER_CALL,
      bid: OTHER_CALL,
      'bid size': OTHER_CALL,
      volume: OTHER_CALL,
      'inverse history': OTHER_CALL,
    },
  },
  hyperliquid: {
    silent: { nextFundingTimestamp: OTHER_TIME, 'bid size': NO_BULK_TOP },
    differs: {
      bid: {
        why: 'ccxt takes the impact price, which lies outside the book’s top',
        by: ({ ours, ccxt }) => Number(ccxt) <= Number(ours),
      },
    },
  },
  deepcoin: {
    silent: {
      fundingTimestamp: 'ccxt does not join the call with the times',
      nextFundingTimestamp: 'ccxt does not join the call with the times',
      interval: 'ccxt does not join the call with the intervals',
    },
    differs: { 'bid size': IN_CONTRACTS, 'inverse book size': IN_FACE_VALUE },
  },
  deltaindia: {
    silent: {
      fundingTimestamp: NO_TIME,
      nextFundingTimestamp: NO_TIME,
      interval: 'ccxt does not join the intervals of the products',
    },
    differs: { 'bid size': IN_CONTRACTS, 'book size': IN_CONTRACTS },
    incomparable: { history: 'ccxt has no settled history here' },
  },
  bitfinex: {
    silent: {
      fundingTimestamp: OTHER_TIME,
      interval: 'ccxt gives none; the venue settles every eight hours',
      volume: 'ccxt gives only the volume in coins',
    },
    differs: { history: { why: 'ccxt gives the status of each minute, and only the newest 125 of them' } },
    incomparable: {
      'bid size': 'the sizes of the tickers are sums of 25 orders, and ours are left out',
      'book price': OTHER_CALL,
      'book size': OTHER_CALL,
    },
  },
  cryptocom: {
    silent: { nextFundingTimestamp: OTHER_TIME, 'bid size': NO_BULK_TOP },
    differs: { rate: { why: 'ccxt gives the estimate for the next four hours' } },
  },
  grvt: {
    incomparable: {
      rate: 'ccxt has no funding rates here',
      fundingTimestamp: 'ccxt has no funding rates here',
      nextFundingTimestamp: 'ccxt has no funding rates here',
      interval: 'ccxt has no funding rates here',
      bid: 'ccxt has no tickers here',
      'bid size': 'ccxt has no tickers here',
      volume: 'ccxt has no tickers here',
    },
  },
  pacifica: {
    differs: { volume: BOTH_SIDES },
    silent: { nextFundingTimestamp: OTHER_TIME, bid: NO_BULK_TOP, 'bid size': NO_BULK_TOP },
  },
  extended: {
    differs: { volume: BOTH_SIDES },
    silent: { 'bid size': NO_BULK_TOP },
    incomparable: {
      rate: 'ccxt has no funding rates here',
      fundingTimestamp: 'ccxt has no funding rates here',
      nextFundingTimestamp: 'ccxt has no funding rates here',
      interval: 'ccxt has no funding rates here',
    },
  },
  dydx: {
    incomparable: {
      rate: 'ccxt has no funding rates here',
      fundingTimestamp: 'ccxt has no funding rates here',
      nextFundingTimestamp: 'ccxt has no funding rates here',
      interval: 'ccxt has no funding rates here',
      bid: 'ccxt has no tickers here',
      'bid size': 'ccxt has no tickers here',
      volume: 'ccxt has no tickers here',
    },
  },
  aster: {
    silent: { fundingTimestamp: OTHER_TIME, interval: 'ccxt does not join fundingInfo to premiumIndex' },
  },
  lighter: {
    silent: {
      'contract size': 'ccxt leaves it undefined; quantities are base units',
      fundingTimestamp: NO_TIME,
      nextFundingTimestamp: NO_TIME,
      interval: 'ccxt gives none; the venue settles hourly',
      bid: NO_BULK_TOP,
      'bid size': NO_BULK_TOP,
    },
    differs: {
      rate: {
        why: 'ccxt gives the venue’s figure for eight hours, ours is what an hour settles',
        by: ({ ours, ccxt }) => Math.abs(Number(ccxt) - Number(ours) * 8) < 1e-9,
      },
    },
    incomparable: { history: 'ccxt has no settled history here' },
  },
  paradex: {
    silent: { 'bid size': NO_SIZES, fundingTimestamp: NO_TIME, nextFundingTimestamp: NO_TIME },
    differs: {
      rate: {
        why: 'ccxt takes the rate of the market’s own period, ours is always for eight hours',
        by: times(() => 8),
      },
      interval: {
        why: 'ccxt takes the rate of the market’s own period, ours is always for eight hours',
        by: ({ ours, ccxt }) => ours === '8h' && ccxt === '1h',
      },
    },
    incomparable: {
      history: 'ccxt takes a sample of the running rate, ours are whole days of the funding index',
    },
  },
  apex: {
    differs: {
      'contract size': {
        why: 'ccxt takes the smallest order for the size of a contract, ours are base units',
      },
    },
    silent: {
      bid: 'the tickers have none; ours are the tops of the books',
      'bid size': 'the tickers have none; ours are the tops of the books',
    },
    incomparable: {
      rate: 'ccxt has no running rates here',
      fundingTimestamp: 'ccxt has no running rates here',
      nextFundingTimestamp: 'ccxt has no running rates here',
      interval: 'ccxt has no running rates here',
    },
  },
  nado: {
    silent: { nextFundingTimestamp: OTHER_TIME },
    differs: {
      rate: {
        why: 'ccxt gives the rate of 24 hours, ours is the 24th that each hour settles',
        by: times(() => 1 / 24),
      },
      interval: { why: 'ccxt gives the 24 hours of the rate, ours is the hour between settlements' },
    },
    incomparable: {
      bid: OTHER_CALL,
      'bid size': OTHER_CALL,
      volume: OTHER_CALL,
      history: 'ccxt has no settled rates here',
    },
  },
  orderly: {
    silent: { nextFundingTimestamp: OTHER_TIME, bid: NO_BULK_TOP, 'bid size': NO_BULK_TOP },
    incomparable: {
      'book price': 'the call needs a key, ours come over the stream',
      'book size': 'the call needs a key, ours come over the stream',
    },
  },
  backpack: {
    silent: { fundingTimestamp: OTHER_TIME, bid: NO_BULK_TOP, 'bid size': NO_BULK_TOP },
    differs: {
      interval: { why: 'ccxt has 1h written in, the venue gives milliseconds per contract' },
    },
  },
  coinbaseintl: {
    silent: { volume: 'ccxt reads no turnover' },
    incomparable: {
      rate: 'ccxt has no running rates here',
      fundingTimestamp: 'ccxt has no running rates here',
      nextFundingTimestamp: 'ccxt has no running rates here',
      interval: 'ccxt has no running rates here',
      'book price': 'ccxt has no order books here',
      'book size': 'ccxt has no order books here',
    },
  },
  btse: {
    silent: { fundingTimestamp: OTHER_TIME },
    differs: { 'bid size': IN_CONTRACTS, 'book size': IN_CONTRACTS },
  },
  whitebit: {
    silent: {
      nextFundingTimestamp: OTHER_TIME,
      interval: 'ccxt does not read funding_interval_minutes',
      'bid size': NO_BULK_TOP,
    },
  },
};
