import type { SimContract } from '../contracts.ts';
import { rateText, type SimSocket, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const STATUS = {
  unknown: 'INITIALIZING',
  preopen: 'INITIALIZING',
  trading: 'ACTIVE',
  delisting: 'ACTIVE',
  delisted: 'FINAL_SETTLEMENT',
};
const SNAPSHOT_LEVELS = 100;
const BLOCK_MS = 1100;

function market(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const status = view.status(contract);
  return {
    clobPairId: String(contract.seed % 1000),
    ticker: contract.venueSymbol,
    status: STATUS[status],
    oraclePrice: String(quote.indexPrice),
    priceChange24H: '0',
    volume24H: status === 'preopen' ? '0' : quote.volume24hUsd.toFixed(4),
    trades24H: 0,
    nextFundingRate: status === 'preopen' ? '0' : rateText(quote.rateE8),
    initialMarginFraction: '0.05',
    maintenanceMarginFraction: '0.03',
    openInterest: String(quote.openInterestContracts),
    atomicResolution: -9,
    quantumConversionExponent: -9,
    tickSize: (10 ** -contract.priceDecimals).toFixed(contract.priceDecimals),
    stepSize: (10 ** -contract.sizeDecimals).toFixed(contract.sizeDecimals),
    stepBaseQuantums: 1_000_000,
    subticksPerTick: 100_000,
    marketType: 'CROSS',
    openInterestLowerCap: '0',
    openInterestUpperCap: '0',
    baseOpenInterest: '0',
    defaultFundingRate1H: '0',
  };
}

/** The real list keeps closed markets, and names some by the source of their price. */
const CLOSED = {
  clobPairId: '999',
  ticker: 'GONE,RAYDIUM,9BB6NFECJBCTNNLFKO2FQVQBQ8HHM13KCYYCDQBGPUMP-USD',
  status: 'FINAL_SETTLEMENT',
  oraclePrice: '1',
  volume24H: '0',
  nextFundingRate: '0',
  initialMarginFraction: '1',
};

type Levels = Map<string, string>;

function levelsOf(contract: SimContract, view: SimView): { bids: Levels; asks: Levels } {
  const book = view.book(contract, SNAPSHOT_LEVELS);
  const quote = view.quote(contract);
  if (book.bids[0] && book.asks[0]) {
    book.bids[0] = [quote.bidPrice, quote.bidContracts];
    book.asks[0] = [quote.askPrice, quote.askContracts];
  }
  const side = (levels: [number, number][]) =>
    new Map(
      levels.map(([p, s]) => [p.toFixed(contract.priceDecimals), s.toFixed(contract.sizeDecimals)] as const),
    );
  return { bids: side(book.bids), asks: side(book.asks) };
}

function asObjects(levels: Levels): object[] {
  return [...levels].map(([price, size]) => ({ price, size }));
}

/** The delta from one side to another: new and changed levels, and size 0 for removed ones. */
function changes(before: Levels, after: Levels): [string, string][] {
  return [
    ...[...before.keys()].filter((price) => !after.has(price)).map((price): [string, string] => [price, '0']),
    ...[...after].filter(([price, size]) => before.get(price) !== size),
  ];
}

function socket(): SimSocket {
  const sent = new Map<string, { bids: Levels; asks: Levels }>();
  let messageId = 0;
  let wantsBlocks = false;
  const message = (fields: object) =>
    JSON.stringify({ connection_id: 'sim', message_id: messageId++, ...fields });
  return {
    receive: (request, view) => {
      const { type, channel, id } = request as { type?: string; channel?: string; id?: string };
      if (type !== 'subscribe') return [];
      if (channel === 'v4_block_height') {
        wantsBlocks = true;
        const contents = { height: '1', time: new Date(view.nowMs).toISOString() };
        return [message({ type: 'subscribed', channel, id: channel, contents })];
      }
      const contract = view.find(id ?? '');
      if (!contract)
        return [
          message({ type: 'error', message: `Invalid subscription id for channel: (${channel}-${id})` }),
        ];
      const levels = levelsOf(contract, view);
      sent.set(contract.venueSymbol, levels);
      const contents = { bids: asObjects(levels.bids), asks: asObjects(levels.asks) };
      return [message({ type: 'subscribed', channel: 'v4_orderbook', id, contents })];
    },
    tick: (view) => {
      const messages = [...sent].flatMap(([id, before]) => {
        const contract = view.find(id);
        if (!contract) return [];
        const after = levelsOf(contract, view);
        sent.set(id, after);
        const bids = changes(before.bids, after.bids);
        const asks = changes(before.asks, after.asks);
        if (bids.length === 0 && asks.length === 0) return [];
        // The venue omits a side that did not change.
        const contents = [{ ...(bids.length > 0 ? { bids } : {}), ...(asks.length > 0 ? { asks } : {}) }];
        return [
          message({ type: 'channel_batch_data', channel: 'v4_orderbook', id, version: '1.0.0', contents }),
        ];
      });
      if (wantsBlocks) {
        const contents = {
          blockHeight: String(Math.floor(view.nowMs / BLOCK_MS)),
          time: new Date(view.nowMs).toISOString(),
        };
        messages.push(
          message({
            type: 'channel_data',
            channel: 'v4_block_height',
            id: 'v4_block_height',
            version: '1.0.0',
            contents,
          }),
        );
      }
      return messages;
    },
  };
}

export const dydx: SimVenue = {
  profile: {
    slug: 'dydx',
    listings: { isListedBeforeOpening: true },
    exchange: 'dYdX',
    quotes: ['USD'],
    settleOf: () => 'USDC',
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    hasQuietBooks: true,
    rateCap: 0.015,
    coverage: 0.7,
    multipliedBase: null,
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 1 : 0),
    venueSymbol: ({ base, quote }) => `${base}-${quote}`,
  },
  http: ({ path, query }, view) => {
    if (path === '/v4/perpetualMarkets') {
      const markets = view.contracts.map(
        (contract) => [contract.venueSymbol, market(contract, view)] as const,
      );
      return { markets: Object.fromEntries([...markets, [CLOSED.ticker, CLOSED]]) };
    }
    const [, kind = '', ticker = ''] =
      /^\/v4\/(orderbooks\/perpetualMarket|historicalFunding)\/(.+)$/.exec(path) ?? [];
    const contract = view.find(decodeURIComponent(ticker));
    if (!contract) return undefined;
    if (kind !== 'historicalFunding') {
      const levels = levelsOf(contract, view);
      return { bids: asObjects(levels.bids), asks: asObjects(levels.asks) };
    }
    const toMs = Date.parse(query.get('effectiveBeforeOrAt') ?? new Date(view.nowMs).toISOString());
    const limit = Number(query.get('limit') ?? 1000);
    const settlements = view.settlements(contract, toMs - (limit + 2) * 3_600_000, toMs);
    const historicalFunding = settlements
      .toReversed()
      .map((settlement) => ({
        ticker: contract.venueSymbol,
        rate: rateText(settlement.rateE8),
        price: '1',
        effectiveAtHeight: String(Math.floor(settlement.settledAtMs / BLOCK_MS)),
        // A payment takes effect with the first block of the hour.
        effectiveAt: new Date(settlement.settledAtMs + (contract.seed % 900)).toISOString(),
      }))
      .filter((row) => Date.parse(row.effectiveAt) <= toMs)
      .slice(0, limit);
    return { historicalFunding };
  },
  socket,
  publishes: (_contract, quote) => ({ markPrice: quote.indexPrice }),
};
