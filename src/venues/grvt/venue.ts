import { bulkPoll, depthCall, historyCall } from '../bulk-poll.ts';
import { oneSide, unknownSides } from '../counting/sides.ts';
import { sourced, type Venue } from '../venue.ts';
import { parseBook, parseFunding, parseInstruments } from './parse.ts';
import { tickers } from './stream.ts';
import { DEPTH_LEVELS, HISTORY_PAGE_ROWS } from './wire.ts';

const FEE_PAGE = 'https://help.grvt.io/en/articles/9614699-how-does-grvt-s-fee-model-work';
const MARGIN_PAGE = 'https://help.grvt.io/en/articles/10255049-what-are-the-margin-requirements-on-grvt';

const nanoseconds = (timeMs: number) => String(BigInt(timeMs) * 1_000_000n);

export const grvt: Venue = {
  slug: 'grvt',
  facts: {
    exchange: 'GRVT',
    name: 'GRVT',
    kind: 'dex',
    takerFeePct: sourced(0.055, '2026-11-15', FEE_PAGE),
    maxLeverage: sourced(50, '2026-11-15', MARGIN_PAGE),
    hasNoClasses: true,
    counts: {
      openInterest: unknownSides(
        'no source says; values have nine decimals in lots of 0.001 (2,523.388873277)',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/grvt',
      ),
      volume: oneSide(
        'bought and sold volume are added up and differ (637.059 and 643.171), so each trade is in one of them, that of its taker',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/grvt',
      ),
    },
    hasSpot: false,
    tradingEnabled: true,
    feeUrl: FEE_PAGE,
    specsUrl: MARGIN_PAGE,
    fundingUrl: 'https://help.grvt.io/en/articles/9636557-what-is-a-funding-rate-and-how-is-it-calculated',
    notes: [
      'Rates are percent of the contract’s own interval, also in funding_rate_8h_curr: contracts of 4 hours rest at 0.005, those of 8 hours at 0.01.',
      'KPEPE, KBONK and KSHIB are a thousand of their coin; KAITO, KAVA and the like are coins.',
      'Rates have four decimals of a percent.',
    ],
    unknown: [
      'the taker fee of today: the pages that were read have no date and state 0.055 and 0.05 percent',
      'the largest leverage of today: the venue has changed it on several contracts since, and no public call gives it',
      'listing and delisting times: create_time is that of the last deployment for all contracts, and the list has active ones only',
      'asset class: UNSPECIFIED on all contracts; a few shares and commodities are known by name, any other counts as a coin until its price contradicts the coin',
      'the limit of calls: the header x-ratelimit-limit says 1,500 of an unknown period',
      'how many contracts one socket may carry',
      'the largest rate of the venue: adjusted_funding_rate_cap is per contract, 0.3 to 2 percent in the rows that were read',
      'announcements: no feed found',
    ],
  },
  hosts: { rest: 'https://market-data.grvt.io/full/v1', ws: 'wss://market-data.grvt.io' },
  budgets: { rest: { capacity: 200, windowSeconds: 60 } },
  polls: [
    bulkPoll({
      name: 'all_instruments',
      gives: ['contracts', 'interval'],
      everySeconds: 300,
      request: { method: 'POST', path: '/all_instruments', body: { is_active: true } },
      parse: parseInstruments,
    }),
  ],
  streams: [tickers],
  settlementDepthDays: null,
  settlements: historyCall(
    ({ venueSymbol }, { fromMs, toMs }) => ({
      method: 'POST',
      path: '/funding',
      body: {
        instrument: venueSymbol,
        start_time: nanoseconds(fromMs),
        end_time: nanoseconds(toMs),
        limit: HISTORY_PAGE_ROWS,
      },
    }),
    parseFunding,
  ),
  depth: depthCall(
    ({ venueSymbol }) => ({
      method: 'POST',
      path: '/book',
      body: { instrument: venueSymbol, depth: DEPTH_LEVELS },
    }),
    parseBook,
  ),
};
