import type { SimContract } from '../contracts.ts';
import { rateText, type SimRequest, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const STATUS = { unknown: 0, preopen: 2, trading: 1, delisting: 1, delisted: 0 };

interface Side {
  isInverse: boolean;
  reference: string;
  market: string;
  pageRows: number;
}

const SIDES: readonly Side[] = [
  { isInverse: false, reference: '/linear-swap-api/v1', market: '/linear-swap-ex/market', pageRows: 100 },
  { isInverse: true, reference: '/swap-api/v1', market: '/swap-ex/market', pageRows: 50 },
];

/** Eighteen decimals, and an exact zero in the notation of Java's BigDecimal. */
function venueRate(rateE8: number): string {
  return rateE8 === 0 ? '0E-18' : `${rateText(rateE8)}0000000000`;
}

function dayText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10).replaceAll('-', '');
}

function instrument(contract: SimContract, view: SimView): object {
  const status = view.status(contract);
  const quote = view.quote(contract);
  return {
    symbol: contract.base,
    contract_code: contract.venueSymbol,
    contract_size: contract.contractSize,
    price_tick: 10 ** -contract.priceDecimals,
    delivery_time: status === 'delisting' ? String(contract.delistsAtMs) : '',
    create_date: dayText(contract.listedAtMs),
    contract_status: STATUS[status],
    settlement_date: String(quote.nextFundingAtMs),
    settlement_period: String(quote.intervalHours),
    ...(contract.isInverse
      ? {}
      : {
          delivery_date: '',
          support_margin_mode: 'all',
          business_type: 'swap',
          pair: contract.venueSymbol,
          contract_type: 'swap',
          trade_partition: contract.settle,
          labels: ['common'],
          tradfi_labels: [],
        }),
  };
}

/** The linear list holds dated futures unless the request names swaps; the funding list always does. */
const DATED_FUTURE = {
  symbol: 'BTC',
  contract_code: 'BTC-USDT-270326',
  contract_size: 0.001,
  contract_status: 1,
  business_type: 'futures',
  trade_partition: 'USDT',
};
const DATED_FUNDING = {
  contract_code: 'BTC-USDT-270326',
  symbol: 'BTC',
  funding_rate: null,
  funding_time: null,
};

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  // The venue adds up both sides of a trade.
  const bothSidesUsd = 2 * quote.volume24hUsd;
  const oneSide = contract.isInverse
    ? quote.volume24hUsd / contract.contractSize
    : quote.volume24hUsd / (contract.contractSize * quote.markPrice);
  return {
    id: Math.floor(view.nowMs / 1000),
    ts: view.nowMs,
    contract_code: contract.venueSymbol,
    bid: [quote.bidPrice, quote.bidContracts],
    ask: [quote.askPrice, quote.askContracts],
    close: quote.lastPrice.toFixed(contract.priceDecimals),
    amount: (bothSidesUsd / quote.markPrice).toFixed(6),
    vol: String(2 * Math.round(oneSide)),
    ...(contract.isInverse ? {} : { business_type: 'swap', trade_turnover: bothSidesUsd.toFixed(4) }),
  };
}

function openInterest(contract: SimContract, view: SimView): object {
  const { openInterestContracts, markPrice } = view.quote(contract);
  // One side, although the volume counts both.
  const units = openInterestContracts * contract.contractSize;
  return {
    contract_code: contract.venueSymbol,
    volume: openInterestContracts,
    amount: contract.isInverse ? units / markPrice : units,
    ...(contract.isInverse ? {} : { business_type: 'swap', value: units * markPrice }),
  };
}

function fundingRow(contract: SimContract, rateE8: number, timeMs: number): object {
  return {
    symbol: contract.base,
    contract_code: contract.venueSymbol,
    fee_asset: contract.settle,
    funding_rate: venueRate(rateE8),
    funding_time: String(timeMs),
  };
}

function historyPage(contract: SimContract, side: Side, query: URLSearchParams, view: SimView): object {
  const rows = Math.min(Number(query.get('page_size') ?? 20), side.pageRows);
  const pageIndex = Number(query.get('page_index') ?? 1);
  // Pages are numbered over the whole life of a contract.
  const total = view.settlementCount(contract, 0, view.nowMs);
  const page = view.newestSettlements(contract, view.nowMs, rows, (pageIndex - 1) * rows);
  return {
    total_page: Math.ceil(total / rows),
    current_page: pageIndex,
    total_size: total,
    data: page.map(({ rateE8, settledAtMs }) => ({
      ...fundingRow(contract, rateE8, settledAtMs),
      avg_premium_index: venueRate(rateE8),
      realized_rate: null,
    })),
  };
}

function answer({ path, query }: SimRequest, view: SimView): object | undefined {
  const side = SIDES.find(
    ({ reference, market }) => path.startsWith(`${reference}/`) || path.startsWith(`${market}/`),
  );
  if (!side) return undefined;
  const mine = (list: readonly SimContract[]) => list.filter((c) => c.isInverse === side.isInverse);
  const wanted = view.find(query.get('contract_code') ?? '');
  const isSwapOnly = side.isInverse || query.get('business_type') === 'swap';
  switch (path) {
    case `${side.reference}/swap_contract_info`:
      return {
        data: [
          ...mine(view.contracts).map((contract) => instrument(contract, view)),
          ...(isSwapOnly ? [] : [DATED_FUTURE]),
        ],
      };
    case `${side.reference}/swap_batch_funding_rate`:
      return {
        data: [
          ...mine(view.open).map((contract) => ({
            ...fundingRow(contract, view.quote(contract).rateE8, view.quote(contract).nextFundingAtMs),
            estimated_rate: null,
            next_funding_time: null,
          })),
          ...(side.isInverse ? [] : [DATED_FUNDING]),
        ],
      };
    case `${side.reference}/swap_index`:
      return {
        data: mine(view.open).map((contract) => ({
          contract_code: contract.venueSymbol,
          index_price: view.quote(contract).indexPrice,
          index_ts: view.nowMs,
        })),
      };
    case `${side.reference}/swap_open_interest`:
      return { data: mine(view.open).map((contract) => openInterest(contract, view)) };
    case `${side.market}/detail/batch_merged`:
      return { ticks: mine(view.open).map((contract) => ticker(contract, view)) };
    case `${side.market}/depth`: {
      if (!wanted) return undefined;
      const { bids, asks } = view.book(wanted, 150);
      return { ch: `market.${wanted.venueSymbol}.depth.step0`, tick: { bids, asks, ts: view.nowMs } };
    }
    case `${side.reference}/swap_historical_funding_rate`:
      return wanted ? { data: historyPage(wanted, side, query, view) } : undefined;
    default:
      return undefined;
  }
}

export const htx: SimVenue = {
  profile: {
    slug: 'htx',
    listings: { isListedBeforeOpening: true, listingTime: 'day', ending: 'time' },
    exchange: 'HTX',
    quotes: ['USDT'],
    inverseQuote: 'USD',
    inverseTickers: ['BTC', 'ETH', 'XRP', 'DOGE'],
    inverseFaceUsd: (ticker) => (ticker === 'BTC' ? 100 : 10),
    intervals: [8, 4, 1],
    rateCap: 0.02,
    coverage: 0.6,
    multipliedBase: null,
    // Cheap coins get a large contract instead of a multiplied name.
    contractSize: (coin) => 10 ** Math.min(12, Math.max(-3, -Math.floor(Math.log10(coin.anchorPriceUsd)))),
    sizeDecimals: () => 0,
    venueSymbol: ({ base, quote }) => `${base}-${quote}`,
  },
  http: (request, view) => {
    const body = answer(request, view);
    return body === undefined ? undefined : { status: 'ok', ...body, ts: view.nowMs };
  },
};
