import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import {
  changeFilter,
  levelTexts,
  priceText,
  rateText,
  type SimRequest,
  type SimSocket,
  type SimVenue,
  sizeText,
} from '../venue.ts';
import type { SimView } from '../view.ts';

/** Spot and dated futures stand in the same list. */
const OTHERS = [
  { symbol: 'BTC_USDT', inst_type: 'CCY_PAIR', base_ccy: 'BTC', quote_ccy: 'USDT', tradable: true },
  {
    symbol: 'BTCUSD-261225',
    inst_type: 'FUTURE',
    base_ccy: 'BTC',
    quote_ccy: 'USD',
    contract_size: '1',
    tradable: true,
    expiry_timestamp_ms: 1_798_185_600_000,
  },
];

const PRODUCT_OF_CLASS = {
  crypto: 'DIGITAL_CURRENCIES',
  stock: 'EQUITY',
  index: 'EQUITY_IND',
  commodity: 'COMMODITIES',
  forex: 'FX',
};

const indexName = ({ base, quote }: SimContract) => `${base}${quote}-INDEX`;

/** The estimate for the next four hours differs, so that a parser that takes it for the rate fails. */
const estimateE8 = (rateE8: number) => rateE8 + 1250;

function instrument(contract: SimContract): object {
  return {
    symbol: contract.venueSymbol,
    inst_type: 'PERPETUAL_SWAP',
    display_name: `${contract.base}${contract.quote} Perpetual`,
    base_ccy: contract.base,
    quote_ccy: contract.quote,
    quote_decimals: contract.priceDecimals,
    quantity_decimals: contract.sizeDecimals,
    price_tick_size: priceText(contract, 10 ** -contract.priceDecimals),
    qty_tick_size: sizeText(contract, 10 ** -contract.sizeDecimals),
    max_leverage: '50',
    tradable: true,
    expiry_timestamp_ms: 0,
    beta_product: false,
    underlying_symbol: indexName(contract),
    contract_size: '1',
    product_type: PRODUCT_OF_CLASS[contract.coin.assetClass ?? 'crypto'],
  };
}

/** Tops without sizes, which only the stream has. */
function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    i: contract.venueSymbol,
    h: priceText(contract, quote.lastPrice * 1.02),
    l: priceText(contract, quote.lastPrice * 0.98),
    a: priceText(contract, quote.lastPrice),
    v: (quote.volume24hUsd / quote.lastPrice).toFixed(4),
    vv: quote.volume24hUsd.toFixed(2),
    c: '0.0732',
    b: priceText(contract, quote.bidPrice),
    k: priceText(contract, quote.askPrice),
    oi: sizeText(contract, quote.openInterestContracts),
    t: view.nowMs,
  };
}

/** Rates are computed at the fifth second of each minute. */
const rateTimeMs = (view: SimView) =>
  Math.floor((view.nowMs - 5 * SECOND_MS) / MINUTE_MS) * MINUTE_MS + 5 * SECOND_MS;

/** Until that second after a full hour, the rate is the one that has just been charged. */
function fundingPoint(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const rateE8 = rateTimeMs(view) < quote.lastFundingAtMs ? quote.lastRateE8 : quote.rateE8;
  return { v: rateText(rateE8), t: rateTimeMs(view) };
}

/** Newest first, at most `count`. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): object[] {
  const toMs = Number(query.get('end_ts') ?? view.nowMs);
  return view
    .settlements(contract, Number(query.get('start_ts') ?? toMs - 30 * 24 * HOUR_MS), toMs)
    .map((settlement) => ({ v: rateText(settlement.rateE8), t: settlement.settledAtMs }))
    .reverse()
    .slice(0, Number(query.get('count') ?? 25));
}

function valuations(contract: SimContract, query: URLSearchParams, view: SimView): unknown {
  const quote = view.quote(contract);
  const second = view.nowMs - (view.nowMs % SECOND_MS);
  const point = (v: string, t = second) => ({ data: [{ v, t }], instrument_name: contract.venueSymbol });
  switch (query.get('valuation_type')) {
    case 'funding_hist':
      return { data: history(contract, query, view), instrument_name: contract.venueSymbol };
    case 'funding_rate':
      return { data: [fundingPoint(contract, view)], instrument_name: contract.venueSymbol };
    case 'estimated_funding_rate':
      return point(rateText(estimateE8(quote.rateE8)), view.nowMs);
    case 'index_price':
      return { ...point(String(quote.indexPrice)), instrument_name: indexName(contract) };
    default:
      return null;
  }
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const method = path.slice(1);
  const ok = (result: object) => ({ id: -1, method, code: 0, result });
  const refused = (message: string) => ({ code: 40004, message });
  const wanted = view.find(query.get('instrument_name') ?? '');
  switch (method) {
    case 'public/get-instruments':
      return ok({ data: [...OTHERS, ...view.open.map(instrument)] });
    case 'public/get-tickers':
      return ok({ data: view.open.map((contract) => ticker(contract, view)) });
    case 'public/get-valuations': {
      const result = wanted ? valuations(wanted, query, view) : null;
      return result ? ok(result) : refused('Invalid instrument_name');
    }
    case 'public/get-book': {
      const depth = Number(query.get('depth') ?? 150);
      if (!wanted || depth < 1 || depth > 150)
        return refused(wanted ? 'Invalid depth' : 'Invalid instrument_name');
      const { bids, asks } = view.book(wanted, depth);
      const side = (levels: [number, number][]) => levelTexts(wanted, levels).map((level) => [...level, '1']);
      return ok({
        depth,
        data: [{ bids: side(bids), asks: side(asks), t: view.nowMs }],
        instrument_name: wanted.venueSymbol,
      });
    }
    default:
      return undefined;
  }
}

const frame = (id: number, channel: string, contract: SimContract, row: object): string => {
  const { venueSymbol: instrument_name } = contract;
  const result = { instrument_name, subscription: `${channel}.${instrument_name}`, channel, data: [row] };
  return JSON.stringify({ id, method: 'subscribe', code: 0, result });
};

/** Tickers when they change, rates once a minute and on subscribing, a heartbeat every 30 seconds. */
function socket(): SimSocket {
  const isChanged = changeFilter();
  const channels = new Set<string>();
  let beatMs = 0;
  return {
    receive: (message, view) => {
      const {
        id = 0,
        method,
        params,
      } = (message ?? {}) as {
        id?: number;
        method?: string;
        params?: { channels?: string[] };
      };
      if (method !== 'subscribe') return [];
      return (params?.channels ?? []).flatMap((channel) => {
        const [name = '', symbol = ''] = channel.split('.');
        const contract = view.find(symbol);
        if (!contract)
          return [JSON.stringify({ id, method, code: 40003, channel, message: 'Unknown symbol' })];
        channels.add(channel);
        return name === 'funding' ? [frame(id, name, contract, fundingPoint(contract, view))] : [];
      });
    },
    tick: (view) => {
      const messages = view.open.flatMap((contract) => {
        const { venueSymbol } = contract;
        const { bidContracts, askContracts } = view.quote(contract);
        const sizes = { bs: sizeText(contract, bidContracts), ks: sizeText(contract, askContracts) };
        const rows = {
          ticker: { ...ticker(contract, view), ...sizes, t: 0 },
          funding: fundingPoint(contract, view),
        };
        return Object.entries(rows)
          .filter(([name]) => channels.has(`${name}.${venueSymbol}`))
          .filter(([name, row]) => isChanged(`${name}.${venueSymbol}`, JSON.stringify(row)))
          .map(([name, row]) =>
            frame(-1, name, contract, name === 'ticker' ? { ...row, t: view.nowMs } : row),
          );
      });
      if (view.nowMs - beatMs < 30 * SECOND_MS) return messages;
      beatMs = view.nowMs;
      return [...messages, JSON.stringify({ id: view.nowMs, method: 'public/heartbeat', code: 0 })];
    },
  };
}

export const cryptocom: SimVenue = {
  profile: {
    slug: 'cryptocom',
    exchange: 'CryptoCom',
    quotes: ['USD'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    hasQuietBooks: true,
    rateCap: 0.02,
    coverage: 0.6,
    traditionalCoverage: 0.9,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 4 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base, quote }) => `${base}${quote}-PERP`,
  },
  http,
  socket,
  showsPassedSettlement: (_contract, view) => view.nowMs % HOUR_MS < 5 * SECOND_MS,
};
