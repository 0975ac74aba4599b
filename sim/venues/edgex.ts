import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import {
  changeFilter,
  priceText,
  rateText,
  type SimRequest,
  type SimSocket,
  type SimVenue,
  sizeText,
} from '../venue.ts';
import type { SimView } from '../view.ts';

const QUOTE_COIN = { coinId: '1000', coinName: 'USDC' };

const idOf = (contract: SimContract) => String(30_000_000 + contract.seed);
const coinIdOf = (contract: SimContract) => `coin ${contract.base}`;

/** The real list has contracts that are hidden though their flags allow trading. */
const HIDDEN = {
  contractId: '30000158',
  contractName: 'HIDDENUSDC',
  baseCoinId: '1158',
  quoteCoinId: '1000',
  fundingRateIntervalMin: '240',
  enableTrade: true,
  enableDisplay: false,
  enableOpenPosition: true,
};

function metaData(view: SimView): object {
  const coins = new Map(view.contracts.map((contract) => [coinIdOf(contract), contract.base]));
  return {
    global: { collateralCoinId: '1000' },
    coinList: [
      QUOTE_COIN,
      { coinId: '1158', coinName: 'HIDDEN' },
      ...[...coins].map(([coinId, coinName]) => ({ coinId, coinName })),
    ],
    contractList: [
      HIDDEN,
      ...view.contracts.map((contract) => ({
        contractId: idOf(contract),
        contractName: contract.venueSymbol,
        baseCoinId: coinIdOf(contract),
        quoteCoinId: QUOTE_COIN.coinId,
        tickSize: priceText(contract, 10 ** -contract.priceDecimals),
        stepSize: sizeText(contract, 10 ** -contract.sizeDecimals),
        defaultTakerFeeRate: '0.00045',
        defaultMakerFeeRate: '0.0004',
        enableTrade: true,
        enableDisplay: view.status(contract) !== 'preopen',
        enableOpenPosition: view.status(contract) === 'trading',
        fundingMaxRate: '0.02',
        fundingMinRate: '-0.02',
        fundingRateIntervalMin: String(view.quote(contract).intervalHours * 60),
        displayMaxLeverage: String(Math.min(contract.maxLeverage, 100)),
        isStock: false,
        isFx: false,
      })),
    ],
  };
}

function latestRate(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    contractId: idOf(contract),
    fundingTime: String(quote.nextFundingAtMs - quote.intervalHours * HOUR_MS),
    // A row that stands still keeps the time of its last estimate too.
    fundingTimestamp: String(
      quote.nextFundingAtMs > view.nowMs
        ? Math.floor(view.nowMs / MINUTE_MS) * MINUTE_MS
        : quote.lastFundingAtMs,
    ),
    oraclePrice: String(quote.markPrice),
    markPrice: String(quote.markPrice),
    indexPrice: String(quote.indexPrice),
    fundingRate: rateText(quote.lastRateE8),
    isSettlement: false,
    forecastFundingRate: rateText(quote.rateE8),
    interestRate: '0.0003',
    predictedFundingRate: '0.00005000',
    fundingRateIntervalMin: String(quote.intervalHours * 60),
  };
}

/** Newest first; the end of the window is not in it. */
function fundingPage(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const rows = view
    .settlements(
      contract,
      Number(query.get('filterBeginTimeInclusive')),
      Number(query.get('filterEndTimeExclusive')) - 1,
    )
    .toReversed()
    .map((settlement) => ({
      contractId: idOf(contract),
      fundingTime: String(settlement.settledAtMs),
      fundingTimestamp: String(settlement.settledAtMs),
      fundingRate: rateText(settlement.rateE8),
      isSettlement: true,
      forecastFundingRate: '',
      fundingRateIntervalMin: String(settlement.intervalHours * 60),
    }));
  const rowsAPage = Number(query.get('size') ?? 100);
  const isLast = rows.length <= rowsAPage;
  return { dataList: rows.slice(0, rowsAPage), nextPageOffsetData: isLast ? '' : '0880F48DD58934' };
}

function depth(contract: SimContract, view: SimView, level: number): object {
  const book = view.book(contract, level);
  const side = (levels: [number, number][]) =>
    levels.map(([p, s]) => ({ price: priceText(contract, p), size: sizeText(contract, s) }));
  const contractId = idOf(contract);
  return {
    contractId,
    contractName: contract.venueSymbol,
    level,
    asks: side(book.asks),
    bids: side(book.bids),
  };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: object) => ({ code: 'SUCCESS', data, msg: null, responseTime: String(view.nowMs) });
  const ids = new Set((query.get('contractId') ?? '').split(','));
  const wanted = view.contracts.filter((contract) => ids.has(idOf(contract)));
  const [first] = wanted;
  switch (path) {
    case '/meta/getMetaData':
      return ok(metaData(view));
    case '/funding/getLatestFundingRate':
      return ok(wanted.filter((one) => view.open.includes(one)).map((one) => latestRate(one, view)));
    case '/funding/getFundingRatePage':
      return first ? ok(fundingPage(first, query, view)) : ok({ dataList: [], nextPageOffsetData: '' });
    case '/quote/getDepth':
      return ok(first ? [depth(first, view, Number(query.get('level') ?? 15))] : []);
    default:
      return undefined;
  }
}

function bookTicker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    contractId: idOf(contract),
    contractName: contract.venueSymbol,
    bestAskPrice: priceText(contract, quote.askPrice),
    bestAskSize: sizeText(contract, quote.askContracts),
    bestBidPrice: priceText(contract, quote.bidPrice),
    bestBidSize: sizeText(contract, quote.bidContracts),
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    contractId: idOf(contract),
    contractName: contract.venueSymbol,
    size: (quote.volume24hUsd / quote.markPrice).toFixed(contract.sizeDecimals),
    value: quote.volume24hUsd.toFixed(4),
    lastPrice: priceText(contract, quote.lastPrice),
    indexPrice: String(quote.indexPrice),
    markPrice: String(quote.markPrice),
    openInterest: sizeText(contract, quote.openInterestContracts),
    fundingRate: rateText(quote.rateE8),
    nextFundingTime: String(quote.nextFundingAtMs),
  };
}

/** All contracts of a channel in one message a second; tops only where they have changed. */
function socket(): SimSocket {
  const isChanged = changeFilter();
  const channels = new Set<string>();
  const event = (channel: string, data: object[]) =>
    JSON.stringify({ type: 'quote-event', channel, content: { channel, dataType: 'changed', data } });
  return {
    receive: (message) => {
      const { type, channel } = (message ?? {}) as { type?: string; channel?: string };
      if (type === 'pong') return [];
      if (type !== 'subscribe' || !/^(bookTicker|ticker)\.all\.1s$/.test(channel ?? ''))
        return [JSON.stringify({ type: 'error', content: { code: 'INVALID_CHANNEL' } })];
      channels.add(channel ?? '');
      return [JSON.stringify({ type: 'subscribed', channel })];
    },
    tick: (view) => {
      const messages = [JSON.stringify({ type: 'ping', time: String(view.nowMs) })];
      if (channels.has('ticker.all.1s'))
        messages.push(
          event(
            'ticker.all.1s',
            view.open.map((contract) => ticker(contract, view)),
          ),
        );
      if (!channels.has('bookTicker.all.1s')) return messages;
      const changed = view.open
        .map((contract) => bookTicker(contract, view))
        .filter((row, i) => isChanged(view.open[i]?.venueSymbol ?? '', JSON.stringify(row)));
      const tops = changed.map((row) => ({ ...row, time: String(view.nowMs) }));
      return [...messages, event('bookTicker.all.1s', tops)];
    },
  };
}

export const edgex: SimVenue = {
  profile: {
    slug: 'edgex',
    listings: { ending: 'mark' },
    exchange: 'edgeX',
    quotes: ['USDC'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [4, 8],
    hasQuietBooks: true,
    rateCap: 0.02,
    coverage: 0.5,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 4 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base, quote }) => `${base}${quote}`,
  },
  http,
  socket,
};
