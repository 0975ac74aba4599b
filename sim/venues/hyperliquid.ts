import type { SimContract } from '../contracts.ts';
import { rateText, type SimSocket, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const FUNDING_PAGE_ROWS = 500;
const BOOK_LEVELS = 20;

/** Numbers as the venue prints them: no trailing zeros, but always a decimal point. */
function short(decimal: string): string {
  const trimmed = decimal.includes('.') ? decimal.replace(/0+$/, '') : `${decimal}.`;
  return trimmed.endsWith('.') ? `${trimmed}0` : trimmed;
}

function level(contract: SimContract, price: number, size: number): object | null {
  if (price <= 0) return null;
  return {
    px: short(price.toFixed(contract.priceDecimals)),
    sz: short(size.toFixed(contract.sizeDecimals)),
    n: 1 + (contract.seed % 7),
  };
}

/** A dex of another deployer names its markets `dex:COIN`. */
const prefixOf = (dex: string | null) => (dex === null ? '' : `${dex}:`);

/** Delisted coins stay in the list, with frozen contexts. */
const DELISTED_AT = 3;
const DELISTED_META = {
  szDecimals: 1,
  maxLeverage: 3,
  marginTableId: 3,
  onlyIsolated: true,
  isDelisted: true,
};
const DELISTED_CONTEXT = {
  funding: '0.0',
  openInterest: '0.0',
  prevDayPx: '0.0512',
  dayNtlVlm: '0.0',
  premium: null,
  oraclePx: '0.0511',
  markPx: '0.0512',
  midPx: null,
  impactPxs: null,
  dayBaseVlm: '0.0',
};

function meta(contract: SimContract): object {
  return {
    szDecimals: contract.sizeDecimals,
    name: contract.venueSymbol,
    maxLeverage: Math.min(contract.maxLeverage, 40),
    marginTableId: 50,
  };
}

function context(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const price = (value: number) => short(value.toFixed(contract.priceDecimals + 1));
  // Impact prices differ from the best bid and ask, so that a parser that confuses them fails.
  const impact = [quote.bidPrice * 0.999, quote.askPrice * 1.001].map(price);
  return {
    funding: short(rateText(quote.rateE8)),
    // Long and short positions, added up.
    openInterest: short((2 * quote.openInterestContracts).toFixed(contract.sizeDecimals)),
    prevDayPx: price(quote.indexPrice),
    dayNtlVlm: short(quote.volume24hUsd.toFixed(6)),
    premium: short((quote.markPrice / quote.indexPrice - 1).toFixed(10)),
    oraclePx: price(quote.indexPrice),
    markPx: price(quote.markPrice),
    midPx: price((quote.bidPrice + quote.askPrice) / 2),
    impactPxs: impact,
    dayBaseVlm: short((quote.volume24hUsd / quote.markPrice).toFixed(contract.sizeDecimals)),
  };
}

function metaAndAssetCtxs(view: SimView, dex: string | null): unknown {
  if (view.contracts.length === 0) return [{ universe: [], marginTables: [], collateralToken: 0 }, []];
  const universe = view.open.map(meta);
  const contexts = view.open.map((contract) => context(contract, view));
  universe.splice(DELISTED_AT, 0, { ...DELISTED_META, name: `${prefixOf(dex)}LOOM` });
  contexts.splice(DELISTED_AT, 0, DELISTED_CONTEXT);
  return [{ universe, marginTables: [], collateralToken: 0 }, contexts];
}

/** Both ends of the window are in it, and prints carry a few milliseconds of jitter. */
function fundingHistory(contract: SimContract, view: SimView, fromMs: number, toMs: number): object[] {
  return view
    .settlements(contract, fromMs - 60_000, toMs)
    .map((settlement) => ({
      coin: contract.venueSymbol,
      fundingRate: short(rateText(settlement.rateE8)),
      premium: '0.0',
      time: settlement.settledAtMs + (contract.seed % 90),
    }))
    .filter((row) => row.time >= fromMs && row.time <= toMs)
    .slice(0, FUNDING_PAGE_ROWS);
}

/** The deployers' words for the classes, spelled in several ways, for all dexes in one reply. */
function annotations(view: SimView): unknown[] {
  const categories = { crypto: 'crypto', index: 'indices', commodity: 'commodities', forex: 'fx' };
  const ofContract = ({ venueSymbol, coin: { assetClass = 'crypto' }, seed }: SimContract) => {
    const category = assetClass === 'stock' ? (seed % 2 === 0 ? 'stocks' : 'stock') : categories[assetClass];
    return [venueSymbol, { category, displayName: venueSymbol.split(':').at(-1), keywords: [] }];
  };
  return [['abcd:USA500', { category: 'indices' }], ...view.contracts.map(ofContract)];
}

function answer(body: Record<string, unknown>, view: SimView, dex: string | null): unknown {
  // An unknown dex is an error of the server; the other dexes belong to other simulated venues.
  if (body.type === 'metaAndAssetCtxs')
    return (body.dex ?? null) === dex ? metaAndAssetCtxs(view, dex) : undefined;
  if (body.type === 'perpConciseAnnotations') return annotations(view);
  const contract = view.find(String(body.coin));
  // The venue answers null for unknown coins.
  if (body.type === 'fundingHistory') {
    if (!contract) return null;
    return fundingHistory(contract, view, Number(body.startTime), Number(body.endTime ?? view.nowMs));
  }
  if (body.type === 'l2Book') {
    if (!contract) return null;
    const book = view.book(contract, BOOK_LEVELS);
    const side = (levels: [number, number][]) => levels.map(([price, size]) => level(contract, price, size));
    return { coin: contract.venueSymbol, time: view.nowMs, levels: [side(book.bids), side(book.asks)] };
  }
  return undefined;
}

/** Tops of the subscribed coins, each only when it has changed. */
function bboSocket(): SimSocket {
  const sent = new Map<string, string>();
  return {
    receive: (message) => {
      const { method, subscription } = message as { method?: string; subscription?: { coin?: string } };
      if (method === 'ping') return ['{"channel":"pong"}'];
      if (method !== 'subscribe' || subscription?.coin === undefined)
        return ['{"channel":"error","data":"Error parsing JSON into valid websocket request"}'];
      sent.set(subscription.coin, '');
      return [JSON.stringify({ channel: 'subscriptionResponse', data: { method, subscription } })];
    },
    tick: (view) => {
      const messages: string[] = [];
      for (const [coin, before] of sent) {
        const contract = view.find(coin);
        if (!contract) continue;
        const quote = view.quote(contract);
        const bbo = [
          level(contract, quote.bidPrice, quote.bidContracts),
          level(contract, quote.askPrice, quote.askContracts),
        ];
        const text = JSON.stringify(bbo);
        if (text === before) continue;
        sent.set(coin, text);
        messages.push(JSON.stringify({ channel: 'bbo', data: { coin, time: view.nowMs, bbo } }));
      }
      return messages;
    },
  };
}

type DexProfile = Pick<SimVenue['profile'], 'slug' | 'exchange' | 'coverage' | 'traditionalCoverage'>;

export const dexVenue = (own: DexProfile, dex: string | null): SimVenue => ({
  profile: {
    ...own,
    quotes: ['USDC'],
    inverseQuote: null,
    inverseFaceUsd: () => 0,
    intervals: [1],
    hasQuietBooks: true,
    rateCap: 0.04,
    // The venue has no prefix for a million; the number in full keeps the price right.
    multipliedBase:
      dex === null
        ? (ticker, multiplier) => (multiplier === 1000 ? `k${ticker}` : `${multiplier}${ticker}`)
        : null,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 4 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base }) => `${prefixOf(dex)}${base}`,
  },
  http: ({ method, path, body }, view) =>
    method === 'POST' && path === '/info' && typeof body === 'object' && body !== null
      ? answer(body as Record<string, unknown>, view, dex)
      : undefined,
  socket: bboSocket,
});

export const hyperliquid = dexVenue({ slug: 'hyperliquid', exchange: 'Hyperliquid', coverage: 0.7 }, null);
