import * as ccxt from 'ccxt';
import type { SimVenue } from '../../sim/venue.ts';
import type { SimView } from '../../sim/view.ts';
import type { Contract } from '../../src/venues/observations.ts';
import type { Venue } from '../../src/venues/venue.ts';

type Json = unknown;
type CcxtClass = new (options: object) => ccxt.Exchange;

interface Setup {
  /** The library's name of the venue, where it is not our folder's. */
  id?: string;
  options?: object;
  /** Answers to calls that the library makes and we do not: first match wins. */
  answers?: readonly (readonly [RegExp, Json])[];
  /** Paths that the library still uses beside the ones we call, with the same reply. */
  samePath?: Readonly<Record<string, string>>;
  /** Parameters that the library leaves to the venue's defaults. */
  historyParameters?: Readonly<Record<string, number>>;
  /** Levels to ask a book for, where the library leaves that to the venue's default. */
  bookLevels?: number;
  /** Adds the fields without which the library throws; none of them is compared. */
  completed?: (row: Record<string, Json>) => Record<string, Json>;
}

const LINEAR_AND_INVERSE = { fetchMarkets: { types: ['linear', 'inverse'] } };
const SWAPS = { fetchMarkets: { types: ['swap'] } };

/** The library refuses an empty list of dated futures, which we never ask for. */
const HTX_DATED = {
  status: 'ok',
  data: [
    {
      symbol: 'BTC',
      contract_code: 'BTC261225',
      contract_type: 'quarter',
      contract_size: 100,
      price_tick: 0.01,
      delivery_date: '20261225',
      delivery_time: '1798185600000',
      create_date: '20260601',
      contract_status: 1,
    },
  ],
};

const SETUPS: Readonly<Record<string, Setup>> = {
  binance: { options: LINEAR_AND_INVERSE },
  bybit: { options: LINEAR_AND_INVERSE },
  okx: { options: SWAPS },
  bitget: {
    options: SWAPS,
    bookLevels: 50,
    completed: (row) => ({
      pricePlace: '1',
      volumePlace: '3',
      priceEndStep: '1',
      sizeMultiplier: '0.001',
      ...row,
      deliveryTime: row.deliveryTime || '1798185600000',
    }),
  },
  gate: { options: SWAPS },
  mexc: { answers: [[/\/api\/v3\/exchangeInfo/, { symbols: [] }]], historyParameters: { page_num: 1 } },
  kucoin: { id: 'kucoinfutures' },
  htx: {
    options: { fetchMarkets: { types: { spot: false, linear: true, inverse: true } } },
    answers: [[/\/api\/v1\/contract_contract_info/, HTX_DATED]],
  },
  coinex: { answers: [[/\/v2\/spot\//, { code: 0, data: [] }]] },
  woox: { id: 'woo' },
  kraken: { id: 'krakenfutures' },
  coinbaseintl: { id: 'coinbaseinternational' },
  orderly: { id: 'woofipro' },
  deltaindia: { id: 'delta' },
  phemex: {
    answers: [[/\/v1\/exchange\/public\/products/, { code: 0, data: [] }]],
    samePath: {
      '/public/products': '/public/products-plus',
      '/v1/md/fullbook': '/md/orderbook',
    },
    // Linear products have scales of 0 on the wire, and ended ones their names.
    completed: (row) =>
      row.type === 'PerpetualV2'
        ? { contractUnderlyingAssets: 'LUNA', priceScale: 0, ratioScale: 0, ...row }
        : row,
  },
  hyperliquid: { options: SWAPS },
  xt: { answers: [[/sapi\.xt\.com/, { rc: 0, result: { symbols: [] } }]] },
  weex: { answers: [[/api-spot\.weex\.com/, { symbols: [] }]] },
  aster: { answers: [[/sapi\.asterdex\.com/, { symbols: [] }]] },
};

/** The venues that ccxt does not have, so that nothing can be compared; a test notices when it gets one of them. */
export const NOT_IN_CCXT: ReadonlySet<string> = new Set([
  ...[
    'bitunix',
    'edgex',
    'pionex',
    'tradexyz',
    'paragon',
    'lighterrh',
    'ourbit',
    'standx',
    'ondo',
    'orangex',
  ],
  ...['polymarket', 'variational', 'sodex', 'arcus'],
]);

export function isInCcxt(slug: string): boolean {
  return slug in ccxt;
}

export interface Opinion {
  exchange: ccxt.Exchange;
  market(contract: Contract): CcxtMarket | undefined;
  historyParameters: Readonly<Record<string, number>>;
  bookLevels: number | undefined;
}

export interface CcxtMarket {
  id: string;
  symbol: string;
  base: string;
  settle: string;
  swap: boolean;
  inverse: boolean;
  contractSize: number | undefined;
}

/** ccxt with its network replaced by the simulator's reply to the same call: nothing leaves the process. */
export async function secondOpinion(venue: Venue, sim: SimVenue, view: SimView): Promise<Opinion> {
  const setup = SETUPS[venue.slug] ?? {};
  const exchange = offlineExchange(venue, async (url, method, body) => {
    for (const [pattern, reply] of setup.answers ?? []) if (pattern.test(url.href)) return reply;
    const path = setup.samePath?.[url.pathname] ?? url.pathname;
    // The host that was called comes first: two hosts of a venue may have the same paths.
    const isCalled = (address: string) => Number(new URL(address).hostname === url.hostname);
    const hosts = Object.entries(venue.hosts).toSorted(([, a], [, b]) => isCalled(b) - isCalled(a));
    for (const [host, address] of hosts) {
      const base = new URL(address);
      const prefix = base.pathname.replace(/\/$/, '');
      if (!base.protocol.startsWith('http') || !path.startsWith(`${prefix}/`)) continue;
      const reply = sim.http(
        { host, method, path: path.slice(prefix.length), query: url.searchParams, body },
        view,
      );
      if (reply !== undefined) return withRows(JSON.parse(JSON.stringify(reply)), setup.completed);
    }
    throw new ccxt.NetworkError(`the simulator has no ${url.href}`);
  });
  exchange.milliseconds = () => view.nowMs;
  await exchange.loadMarkets();
  return {
    exchange,
    historyParameters: setup.historyParameters ?? {},
    bookLevels: setup.bookLevels,
    market: (contract) => {
      const all = Object.values(exchange.markets ?? {}) as unknown as (CcxtMarket & { baseName?: string })[];
      const ids = [contract.venueSymbol, contract.venueId];
      return all.find(
        (market) => market.swap && (ids.includes(market.id) || market.baseName === contract.venueSymbol),
      );
    },
  };
}

/** A ccxt exchange whose every call is answered by the given function. */
export function offlineExchange(
  venue: Venue,
  answer: (url: URL, method: string, body: Json) => Promise<Json>,
): ccxt.Exchange {
  const setup = SETUPS[venue.slug] ?? {};
  const id = setup.id ?? venue.slug;
  const Exchange = (ccxt as unknown as Record<string, CcxtClass>)[id];
  if (!Exchange) throw new Error(`ccxt has no ${id}`);
  const exchange = new Exchange({
    enableRateLimit: false,
    options: { defaultType: 'swap', ...setup.options },
  });
  exchange.has.fetchCurrencies = false;
  exchange.fetch = async (url: string, method = 'GET', _headers?: unknown, body?: unknown) =>
    answer(new URL(url), method, typeof body === 'string' ? JSON.parse(body) : undefined);
  return exchange;
}

function withRows(value: Json, completed: Setup['completed']): Json {
  if (!completed) return value;
  if (Array.isArray(value)) return value.map((inner) => withRows(inner, completed));
  if (typeof value !== 'object' || value === null) return value;
  const row: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) row[name] = withRows(inner, completed);
  return 'symbol' in row ? completed(row) : row;
}
