import { type BulkReading, bulkPoll, depthCall, historyCall } from '../bulk-poll.ts';
import { NOT_GIVEN, oneSide } from '../counting/sides.ts';
import { FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import {
  parseBooks,
  parseDepth,
  parseFundingHistory,
  parseFundingRates,
  parseSymbols,
  parseTickers,
} from './parse.ts';
import { DEPTH_LEVELS, DOCS, HISTORY_PAGE_ROWS, type Host, PARTS, TAKER_FEE_PCT } from './wire.ts';

const PREFIX = '/future/market/v1/public';
const FEES = 'https://xtsupport.zendesk.com/hc/en-us/articles/7243975123993';

/** Both hosts have the same calls; of the coin-margined one only version 1 of the contract list is confirmed. */
function pollsOf(host: Host) {
  const poll = (name: string, path: string, spec: BulkReading) =>
    bulkPoll({ ...spec, name: `${PARTS[host]} ${name}`, request: { host, path } });
  const list = host === 'rest' ? '/future/market/v3/public/symbol/list' : `${PREFIX}/symbol/list`;
  return [
    poll('symbol/list', list, {
      gives: ['contracts'],
      everySeconds: 300,
      parse: (payload, context) => parseSymbols(payload, PARTS[host], context),
    }),
    poll('cg/contracts', `${PREFIX}/cg/contracts`, {
      gives: FUNDING_TOPICS,
      everySeconds: 15,
      parse: parseFundingRates,
    }),
    poll('books', `${PREFIX}/q/ticker/books`, { gives: TOP_TOPICS, everySeconds: 5, parse: parseBooks }),
    poll('agg-tickers', `${PREFIX}/q/agg-tickers`, {
      gives: ['volume', 'mark price', 'index price'],
      everySeconds: 30,
      parse: parseTickers,
    }),
  ];
}

const hostOf = ({ isInverse }: { isInverse: boolean }): Host => (isInverse ? 'coin-m' : 'rest');

export const xt: Venue = {
  slug: 'xt',
  facts: {
    exchange: 'XT',
    name: 'XT.COM',
    kind: 'cex',
    listingFields: {
      preopen: 'future `onboardDate`',
      openingTime: '`onboardDate`',
      end: '`tradeSwitch`, without a time',
    },
    takerFeePct: sourced(TAKER_FEE_PCT, '2026-09-22', FEES),
    maxLeverage: sourced(100, '2026-11-15', 'https://xtsupport.zendesk.com/hc/en-us/articles/4415539378329'),
    hasNoClasses: true,
    counts: {
      openInterest: NOT_GIVEN,
      volume: oneSide(
        'odd in 1 of 2 recorded rows (623,654,031), and two sides of whole trades are even',
        '2026-08-05',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEES,
    specsUrl: `${DOCS}/get-configuration-information-for-listed-and-tradeable-symbols`,
    fundingUrl: 'https://xtsupport.zendesk.com/hc/en-us/articles/7214299007129',
    notes: [
      'The index of nflx_usdt is ten times its price (2026-09-23), and anthropic_usdt and moonshot_usdt have none.',
    ],
    unknown: [
      'max leverage: 100 is from an old tutorial; the brackets are given per contract only',
      'open interest: the unit of the bulk figure is not documented, the other call takes one contract',
      'which contracts are on shares: the list has only numbers of groups, so metals, fuels, indices and currencies are known by name and shares count as coins until other venues class them',
      'delisting times: a delisted contract stays in the list with tradeSwitch false',
      'what openSwitch false means while tradeSwitch is true, and whether the rate just charged is shown after a settlement',
      'the largest rate of a settlement: caps are not published per contract',
      'announcements: the help centre answers single articles, a list of them was not found',
    ],
  },
  hosts: { rest: 'https://fapi.xt.com', 'coin-m': 'https://dapi.xt.com' },
  // The venue allows 1,000 calls a minute and address, or locks it for ten minutes, and 10 books a second.
  budgets: { rest: { capacity: 750, windowSeconds: 60 }, depth: { capacity: 7, windowSeconds: 1 } },
  polls: [...pollsOf('rest'), ...pollsOf('coin-m')],
  streams: [],
  settlementDepthDays: null,
  settlements: historyCall((contract, { cursor: id }) => {
    const query = { symbol: contract.venueSymbol, limit: HISTORY_PAGE_ROWS, id, direction: id && 'NEXT' };
    return { host: hostOf(contract), path: `${PREFIX}/q/funding-rate-record`, query };
  }, parseFundingHistory),
  depth: depthCall((contract) => {
    const query = { symbol: contract.venueSymbol, level: DEPTH_LEVELS };
    return { host: hostOf(contract), path: `${PREFIX}/q/depth`, query, budget: ['rest', 'depth'] };
  }, parseDepth),
};
