import { noSettlements, pollsUnder } from '../bulk-poll.ts';
import { oneSide, unknownSides } from '../counting/sides.ts';
import { sourced, type Venue } from '../venue.ts';
import { parseStats } from './parse.ts';

const API_PAGE = 'https://docs.variational.io/technical-documentation/api';

export const variational: Venue = {
  slug: 'variational',
  facts: {
    exchange: 'Variational',
    name: 'Variational Omni',
    kind: 'dex',
    takerFeePct: sourced(0, '2026-09-14', 'https://docs.variational.io'),
    maxLeverage: sourced(50, '2026-11-18', 'https://docs.variational.io/omni/trading/leverage'),
    rateCap: sourced({ pct: 2, perHours: 1 }, '2026-09-14', 'https://docs.variational.io'),
    noHistory:
      'Variational publishes no settled funding. Perpwire shows its running rates only: a running rate is no payment, so settled sums and realised figures of its contracts are empty.',
    noBook:
      'Variational has no order book: one maker quotes a price on request, and the quotes that it publishes were up to 20 minutes old on 2026-09-14. They are no bid and ask, so its contracts have no spreads and no depth.',
    hasNoClasses: true,
    counts: {
      openInterest: oneSide(
        'longs and shorts are added up, and each of them faces the one maker, whose own positions are in neither: every contract is in the sum once',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/variational',
      ),
      volume: unknownSides(
        'a value in dollars, whose last digits say nothing; no source says',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/variational',
      ),
    },
    hasSpot: false,
    tradingEnabled: true,
    feeUrl: null,
    specsUrl: API_PAGE,
    fundingUrl: 'https://docs.variational.io',
    notes: [
      '`funding_rate` is a rate of a year, which no page says: 286 listings read 0.1095 on 2026-09-14, which is the documented 0.00125 % an hour times 8,760. We publish the share of one interval',
      'Trading costs the spread of the quote; there is no fee',
      'Swaps, which have an interval of 0, are left out: the calls have no rate of them',
    ],
    unknown: [
      'the time of the next payment: no call has it',
      'whether the last running rate before a payment is what is paid',
      'the highest leverage: 50 is assumed; the call has none, and the page on leverage says only what leverage is',
      'listing and delisting times, and a status',
      'the asset class: the list has none; companies are known by the form of their names, metals, fuels and currencies by name',
      'whether OPN_OPINION and RE_ETH are the coins that others call OPN and RE: their tickers are left as they are',
      'an index price',
      'announcements: no feed was found',
    ],
  },
  hosts: { rest: 'https://omni-client-api.prod.ap-northeast-1.variational.io' },
  // The venue allows 10 calls in ten seconds for each address, and 1,000 a minute for all together.
  budgets: { ip: { capacity: 7, windowSeconds: 10 } },
  polls: [
    pollsUnder('/metadata')('stats', {
      gives: ['contracts', 'rate', 'interval', 'volume', 'mark price', 'open interest'],
      everySeconds: 15,
      parse: parseStats,
    }),
  ],
  streams: [],
  settlementDepthDays: 0,
  settlements: noSettlements,
};
