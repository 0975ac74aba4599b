import { percentFromFraction } from '../../base/numbers.ts';
import { nextFullHourMs } from '../../base/times.ts';
import type { Batch, Contract, ContractStatus, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import { amountOf, isoMsOf, listOf, positiveOf, type Row, readRows, rowOf, textOf } from '../reading.ts';
import { bookOf, readLevels } from '../units.ts';
import type { SettlementPage } from '../venue.ts';
import { CONTRACT_STATUS, INTERVAL_HOURS, SETTLE, TICKER } from './wire.ts';

function contractOf(row: Row, venueSymbol: string): Contract | string {
  const [, base, quote] = TICKER.exec(venueSymbol) ?? [];
  if (base === undefined || quote === undefined) return 'no base or quote in the ticker';
  const venueStatus = textOf(row.status) ?? '';
  const status = (CONTRACT_STATUS as Record<string, ContractStatus>)[venueStatus];
  if (status === undefined) return `unknown status ${venueStatus}`;
  const initialMargin = positiveOf(row.initialMarginFraction);
  return {
    venueSymbol,
    base,
    quote,
    settle: SETTLE,
    isInverse: false,
    contractSize: 1,
    status,
    venueStatus,
    assetClass: 'crypto',
    listedAtMs: null,
    delistsAtMs: null,
    maxLeverage: initialMargin === null ? null : Math.round(100 / initialMargin) / 100,
    intervalHours: INTERVAL_HOURS,
  };
}

/** One reply tells everything but the book. `nextFundingRate` is the running rate of one hour. */
export function parseMarkets(payload: unknown, receivedAtMs: number): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  const markets = rowOf(rowOf(payload, 'perpetualMarkets').markets, 'markets');
  readRows(Object.values(markets), batch, 'ticker', (row, venueSymbol) => {
    const contract = contractOf(row, venueSymbol);
    if (typeof contract === 'string') return contract;
    contracts.push(contract);
    // What a market outside its life says of rates and volumes is frozen or not yet true.
    if (contract.status === 'preopen' || contract.status === 'delisted') return null;
    const volume24hUsdt = amountOf(row.volume24H);
    const referencePrice = positiveOf(row.oraclePrice);
    if (volume24hUsdt !== null) batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice });
    const ratePct = percentFromFraction(row.nextFundingRate);
    if (ratePct !== null) {
      batch.fundingQuotes.push({
        venueSymbol,
        ratePct,
        nextFundingAtMs: nextFullHourMs(receivedAtMs),
        intervalHours: INTERVAL_HOURS,
        venueTimeMs: null,
      });
    }
    if (ratePct === null) return 'no rate';
    return volume24hUsdt === null ? 'no volume' : null;
  });
  batch.contractList = { part: 'linear', contracts };
  return batch;
}

/** Newest first. The indexer turns the chain's eight-hour figure into the rate of one hour before it answers. */
export function parseHistoricalFunding(
  payload: unknown,
  window: { fromMs: number; toMs: number },
  limit: number,
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const batch = emptyBatch();
  let oldestMs = Number.POSITIVE_INFINITY;
  const rows = listOf(rowOf(payload, 'historicalFunding').historicalFunding, 'historicalFunding');
  readRows(rows, batch, 'ticker', (row, venueSymbol) => {
    const ratePct = percentFromFraction(row.rate);
    const settledAtMs = isoMsOf(row.effectiveAt);
    if (settledAtMs !== null) oldestMs = Math.min(oldestMs, settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    if (settledAtMs >= window.fromMs && settledAtMs <= window.toMs)
      page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  // A limit above the venue's own is refused rather than cut, so only a full page can have older rows behind it.
  if (rows.length >= limit && Number.isFinite(oldestMs) && oldestMs > window.fromMs)
    page.next = { fromMs: window.fromMs, toMs: oldestMs - 1 };
  return page;
}

export function parseOrderbook(payload: unknown, contract: Contract): Depth {
  const row = rowOf(payload, 'orderbook');
  const fields = { price: 'price', size: 'size' };
  return bookOf(
    contract,
    readLevels(contract, listOf(row.bids, 'bids'), 'base', fields),
    readLevels(contract, listOf(row.asks, 'asks'), 'base', fields),
    null,
  );
}
