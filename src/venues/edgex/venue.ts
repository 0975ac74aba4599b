import { bulkPoll, depthCall, historyCall } from '../bulk-poll.ts';
import { unknownSides } from '../counting/sides.ts';
import { mergeBatches } from '../observations.ts';
import { type BulkPoll, FUNDING_TOPICS, sourced, type Venue } from '../venue.ts';
import { parseDepth, parseFundingPage, parseLatestRates, parseMetaData } from './parse.ts';
import { quotes } from './stream.ts';
import { DEPTH_LEVELS, HISTORY_PAGE_ROWS, IDS_PER_CALL } from './wire.ts';

const FEE_PAGE =
  'https://edgexhelp.zendesk.com/hc/en-001/articles/14706963968911-Spot-Trading-Fee-Structure-Fee-Calculations';

const METADATA = 'https://edgex-prod-v2.edgex.exchange/api/v2/public/meta/getMetaData';

const latestRates: BulkPoll = {
  kind: 'bulk',
  name: 'getLatestFundingRate',
  gives: [...FUNDING_TOPICS, 'mark price', 'index price'],
  everySeconds: 15,
  call: 'GET /funding/getLatestFundingRate?contractId={all ids}',
  weight: 1,
  collect: async ({ send, contracts }) => {
    const ids = [...contracts.values()].flatMap(({ venueId }) => venueId ?? []);
    const calls = Array.from({ length: Math.ceil(ids.length / IDS_PER_CALL) }, async (_, i) => {
      const contractId = ids.slice(i * IDS_PER_CALL, (i + 1) * IDS_PER_CALL).join(',');
      const reply = await send({ path: '/funding/getLatestFundingRate', query: { contractId } });
      return parseLatestRates(reply.payload, { receivedAtMs: reply.receivedAtMs, contracts });
    });
    return mergeBatches(await Promise.all(calls));
  },
};

export const edgex: Venue = {
  slug: 'edgex',
  facts: {
    exchange: 'edgeX',
    name: 'edgeX',
    kind: 'dex',
    listingFields: { end: 'no `enableOpenPosition`, without a time' },
    takerFeePct: sourced(0.038, '2026-11-15', FEE_PAGE),
    maxLeverage: sourced(100, '2026-09-13', METADATA),
    rateCap: sourced({ pct: 2, perHours: null }, '2026-09-13', METADATA),
    counts: {
      openInterest: unknownSides(
        'no source says; one recorded value (3,284.957), whose lot is not known',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/edgex-v2',
      ),
      volume: unknownSides(
        'no source says; one recorded value (2,733.637), whose lot is not known',
        '2026-09-13',
        'https://github.com/belyjelli/ai-rates/tree/main/packages/adapters/__fixtures__/edgex-v2',
      ),
    },
    hasSpot: true,
    tradingEnabled: true,
    feeUrl: FEE_PAGE,
    specsUrl: 'https://edgex-1.gitbook.io/edgeX-documentation/trading/trading-rules',
    fundingUrl: 'https://edgex-1.gitbook.io/edgeX-documentation/trading/funding-fees',
    notes: [
      'V2 only: V1 lists contracts, but answers every other call with SUCCESS and no rows since September 2026.',
      'The documentation says that funding is paid hourly, or every 8 hours; fundingRateIntervalMin is 240 on all contracts of 2026-09-13, and prints are 4 hours apart.',
      'The taker fee is that of the fee table; defaultTakerFeeRate of the metadata was 0.045 percent on all contracts read on 2026-09-13.',
    ],
    unknown: [
      'which of the two taker fees is charged',
      'the largest rate of the venue: the largest fundingMaxRate that was seen is 2 percent of one settlement',
      'listing and delisting times: the metadata has none; a contract that only closes positions is taken for one that ends',
      'which contracts are commodities: the metadata marks shares and currencies only; eight names are known',
      'the limit of calls: 80 calls at 4.4 a second were answered on 2026-09-13',
      'how many days of prints are kept',
      'announcements: no feed found',
    ],
  },
  hosts: {
    rest: 'https://edgex-prod-v2.edgex.exchange/api/v2/public',
    ws: 'wss://edgex-quote-prod-v2.edgex.exchange',
  },
  budgets: { rest: { capacity: 3, windowSeconds: 1 } },
  stampsEachRate: true,
  polls: [
    bulkPoll({
      name: 'getMetaData',
      gives: ['contracts', 'interval'],
      everySeconds: 300,
      request: { path: '/meta/getMetaData' },
      parse: parseMetaData,
    }),
    latestRates,
  ],
  streams: [quotes],
  settlementDepthDays: null,
  settlements: historyCall(
    ({ venueId }, { fromMs, toMs }) => ({
      path: '/funding/getFundingRatePage',
      query: {
        contractId: venueId,
        size: HISTORY_PAGE_ROWS,
        filterSettlementFundingRate: 'true',
        filterBeginTimeInclusive: fromMs,
        filterEndTimeExclusive: toMs + 1,
      },
    }),
    parseFundingPage,
  ),
  depth: depthCall(
    ({ venueId }) => ({ path: '/quote/getDepth', query: { contractId: venueId, level: DEPTH_LEVELS } }),
    parseDepth,
  ),
};
