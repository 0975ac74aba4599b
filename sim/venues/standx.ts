import type { SimContract } from '../contracts.ts';
import { hash } from '../noise.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

/** Times have microseconds. */
const isoText = (atMs: number) => new Date(atMs).toISOString().replace('Z', '168Z');

function symbolInfo(contract: SimContract): object {
  return {
    symbol: contract.venueSymbol,
    base_asset: contract.base,
    quote_asset: 'DUSD',
    status: 'trading',
    max_leverage: String(contract.maxLeverage),
    maker_fee: '0.0001',
    taker_fee: '0.0004',
    funding_rate_cap: String(contract.rateCap),
    funding_rate_floor: String(-contract.rateCap),
    created_at: isoText(contract.announcedAtMs),
  };
}

function overview(view: SimView): object {
  const symbols = view.open.map((contract) => {
    const quote = view.quote(contract);
    // Long and short positions, added up.
    const openInterest = sizeText(contract, 2 * quote.openInterestContracts);
    return {
      symbol: contract.venueSymbol,
      base: contract.base,
      quote: 'DUSD',
      funding_rate: rateText(quote.rateE8),
      last_price: priceText(contract, quote.lastPrice),
      mark_price: quote.markPrice.toFixed(contract.priceDecimals + 1),
      open_interest: openInterest,
      open_interest_notional: (Number(openInterest) * quote.markPrice).toFixed(6),
      volume_quote_24h: quote.volume24hUsd.toFixed(8),
      time: isoText(view.nowMs),
    };
  });
  return { summary: { symbol_count: symbols.length }, symbols };
}

/** The levels of a book come in any order. */
function shuffled(contract: SimContract, levels: [number, number][]): [string, string][] {
  return levelTexts(contract, levels).sort((a, b) => hash(a[0]) - hash(b[0]));
}

function ofContract(contract: SimContract, call: string, query: URLSearchParams, view: SimView): unknown {
  const symbol = contract.venueSymbol;
  if (call === 'query_symbol_price') {
    const quote = view.quote(contract);
    const price = (value: number) => value.toFixed(contract.priceDecimals + 1);
    return { symbol, index_price: price(quote.indexPrice), mark_price: price(quote.markPrice) };
  }
  if (call === 'query_depth_book') {
    const book = view.book(contract, 50);
    return { symbol, bids: shuffled(contract, book.bids), asks: shuffled(contract, book.asks) };
  }
  const [from, to] = [query.get('start_time'), query.get('end_time')];
  if (call !== 'query_funding_rates' || from === null || to === null) return undefined;
  return view.settlements(contract, Number(from), Number(to)).map(({ settledAtMs, rateE8 }) => ({
    symbol,
    funding_rate: rateText(rateE8),
    time: new Date(settledAtMs).toISOString().replace('.000', ''),
  }));
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const call = path.replace('/api/', '');
  if (call === 'query_symbol_info') return view.open.map(symbolInfo);
  if (call === 'query_market_overview') return overview(view);
  const contract = view.find(query.get('symbol') ?? '');
  return contract ? ofContract(contract, call, query, view) : undefined;
}

export const standx: SimVenue = {
  profile: {
    slug: 'standx',
    exchange: 'StandX',
    quotes: ['USD'],
    settleOf: () => 'DUSD',
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    rateCap: 0.0025,
    coverage: 0.04,
    traditionalCoverage: 0.1,
    multipliedBase: null,
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 1 : 0),
    venueSymbol: ({ base, quote }) => `${base}-${quote}`,
  },
  http,
  // Shares are known by the labels of the site.
  givesClasses: false,
};
