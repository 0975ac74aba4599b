import { depthCall, historyCall, joinedPoll, pollsUnder } from '../bulk-poll.ts';
import { NOT_GIVEN, oneSide } from '../counting/sides.ts';
import { FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import {
  parseBook,
  parseFunding,
  parseHistory,
  parseInstruments,
  parseMarkPrices,
  parseTickers,
} from './parse.ts';
import { FAMILIES } from './wire.ts';

const MARKET = '/deepcoin/market';
const TRADE = '/deepcoin/trade';
const HELP = 'https://deepcoin.zendesk.com/hc/en-001/articles';
const FEES = `${HELP}/360055930112-USDT-Perpetual-Contracts-Trading-Fee-Calculation`;
const SPECS = 'https://www.deepcoin.com/docs/DeepCoinMarket/getBaseInfo';
const SWAPS = { query: { instType: 'SWAP' } };
const poll = pollsUnder(MARKET);

/** The rate is in one call, interval and next settlement in another, each once per family. */
function fundingOf(family: keyof typeof FAMILIES) {
  const query = { instType: FAMILIES[family] };
  return joinedPoll({
    name: `${family} funding`,
    gives: FUNDING_TOPICS,
    everySeconds: 15,
    requests: {
      rates: { path: `${TRADE}/fund-rate/current-funding-rate`, query },
      cycles: { path: `${TRADE}/funding-rate`, query },
    },
    parse: parseFunding,
  });
}

export const deepcoin: Venue = {
  slug: 'deepcoin',
  facts: {
    exchange: 'Deepcoin',
    name: 'Deepcoin',
    kind: 'cex',
    takerFeePct: sourced(0.06, '2026-09-22', FEES),
    makerFeePct: sourced(0.04, '2026-09-22', FEES),
    maxLeverage: sourced(125, '2026-11-18', SPECS),
    hasNoClasses: true,
    counts: {
      openInterest: NOT_GIVEN,
      volume: oneSide(
        'odd in the recorded row (8,406,739 contracts), and two sides of whole trades are even',
        '2025-10-13',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEES,
    specsUrl: SPECS,
    fundingUrl: `${HELP}/360056527671-Funding-Costs-of-USDT-Perpetual-Pro-Contract`,
    notes: [
      'Seven instruments of the tickers are in no list (2BTC-USDT-SWAP, dETH-USDT-SWAP with 78 billion USDT of "volume" on 2026-09-22). They are left out.',
      'The names of the rate call are not checked by the venue: it has 250 rows of no contract, and a rate of 0 for any name. Only listed contracts are read from it.',
      'Shares and funds stand still, and their funding pauses, while the US market is closed.',
    ],
    unknown: [
      'more than the 20 newest prints: the size is ignored, and how to page is not known; of a contract that settles hourly that is less than a day',
      'fees: 19 contracts had a taker fee of 0.12 % in 2023, and whether they still do is not published',
      'max leverage 125 is that of BTC in the sample of the documentation, and no source says that lever is the largest one',
      'index price and open interest: no call has them',
      'which contracts are on shares (96 were announced on 2026-09-16): the list has no class, so they count as coins',
      'the largest rate: 75 % of the difference of the margins, which is not published as a number',
      'the unit of the books of inverse contracts, read as contracts',
      'the unit of vol24h on linear contracts, contracts or coins: their turnover is volCcy24h, and only the audit looks at vol24h',
      'whether its rates are its own: they were not compared with those of Binance',
      'listing and delisting times: listTime is 0 on every contract, and a delisted one leaves the list',
      'announcements: only the help centre',
    ],
  },
  hosts: { rest: 'https://api.deepcoin.com' },
  // 10 calls a second and 600 a minute for each path; books allow 50 a second.
  budgets: { rest: { capacity: 7, windowSeconds: 1 }, books: { capacity: 7, windowSeconds: 1 } },
  polls: [
    poll('instruments', { gives: ['contracts'], everySeconds: 300, parse: parseInstruments }, SWAPS),
    fundingOf('linear'),
    fundingOf('inverse'),
    poll('tickers', { gives: [...TOP_TOPICS, 'volume'], everySeconds: 5, parse: parseTickers }, SWAPS),
    poll('mark-price', { gives: ['mark price'], everySeconds: 15, parse: parseMarkPrices }, SWAPS),
  ],
  streams: [],
  // Of contracts that settle every four hours.
  settlementDepthDays: 3,
  settlements: historyCall(
    ({ venueId }) => ({ path: `${TRADE}/fund-rate/history`, query: { instId: venueId } }),
    parseHistory,
  ),
  depth: depthCall(({ venueSymbol: instId }) => {
    return { path: `${MARKET}/books`, query: { instId, sz: 400 }, budget: 'books' };
  }, parseBook),
};
