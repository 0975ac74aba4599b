import { depthCall, historyCall, pollsUnder } from '../bulk-poll.ts';
import { unknownSides } from '../counting/sides.ts';
import { pageNumberOf } from '../prints.ts';
import { FIGURE_TOPICS, FUNDING_TOPICS, sourced, TOP_TOPICS, type Venue } from '../venue.ts';
import { parseFunding, parseInstruments, parseQuote } from './parse.ts';
import { DOCS, ENDED_AT_MS, FEES, HISTORY_PAGE_ROWS, MIGRATION } from './wire.ts';

const PREFIX = '/api/v1';

export const coinbaseintl: Venue = {
  slug: 'coinbaseintl',
  facts: {
    exchange: 'CoinbaseIntl',
    name: 'Coinbase International Exchange',
    kind: 'cex',
    listingFields: { preopen: '`STANDBY`' },
    takerFeePct: sourced(0.04, '2026-11-15', FEES),
    maxLeverage: sourced(50, '2026-11-15', DOCS),
    endedAt: sourced(ENDED_AT_MS, '2026-11-17', MIGRATION),
    hasNoClasses: true,
    counts: {
      openInterest: unknownSides(
        'the venue ended before a source was found',
        '2024-02-10',
        'https://github.com/ccxt/ccxt',
      ),
      volume: unknownSides(
        'the venue ended before a source was found',
        '2024-02-10',
        'https://github.com/ccxt/ccxt',
      ),
    },
    hasSpot: true,
    tradingEnabled: false,
    feeUrl: FEES,
    specsUrl: DOCS,
    fundingUrl: DOCS,
    notes: [
      `Coinbase closed this exchange on 2026-10-01 and moved its clients to Deribit (${MIGRATION}), where its contracts go on as {BASE}_USDC-PERPETUAL. The page names the day; the quotes of all 131 perpetuals stopped at 09:00:29 UTC. The venue is not called. What Coinbase offers since, at drb.coinbase.com, is the order book of Deribit and would repeat its rows.`,
    ],
    unknown: [
      'taker fee 0.04 % and max leverage 50 are not confirmed; the 0.4 % of ccxt is not used',
      'the book below its best level: no public call had it',
      'words of trading_state other than TRADING and PAUSED: no reply with one is known',
      'asset class: the list had none; TSLA is known by name',
      'listing and delisting times: the list had none',
      'the order of the settled rates',
    ],
  },
  hosts: { rest: 'https://api.international.coinbase.com' },
  // The venue allowed 10 requests a second and address, as ccxt has it.
  budgets: { public: { capacity: 7, windowSeconds: 1 } },
  polls: [
    pollsUnder(PREFIX)('instruments', {
      gives: ['contracts', ...FUNDING_TOPICS, ...TOP_TOPICS, 'volume', ...FIGURE_TOPICS],
      everySeconds: 5,
      parse: parseInstruments,
    }),
  ],
  streams: [],
  settlementDepthDays: null,
  settlements: historyCall(({ venueSymbol }, window) => {
    const result_offset = (pageNumberOf(window) - 1) * HISTORY_PAGE_ROWS;
    const query = { result_limit: HISTORY_PAGE_ROWS, result_offset };
    return { path: `${PREFIX}/instruments/${venueSymbol}/funding`, query };
  }, parseFunding),
  depth: depthCall(({ venueSymbol }) => ({ path: `${PREFIX}/instruments/${venueSymbol}/quote` }), parseQuote),
};
