import { percentFromFraction } from '../../base/numbers.ts';
import { nextFullHourMs } from '../../base/times.ts';
import { assetClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { amountOf, isoMsOf, positiveOf, textOf } from '../fields.ts';
import { type Batch, type Contract, type Depth, linearContract } from '../observations.ts';
import { pageBackward, readPrints } from '../prints.ts';
import { listOf, type Row, rowOf } from '../reading.ts';
import { addFigures, addQuote, addVolume, firstReason } from '../row-readers.ts';
import { leverageOf, readBook } from '../units.ts';
import type { SettlementPage } from '../venue.ts';
import { CLASS_OF_BASE, CONTRACT_STATUS, INTERVAL_HOURS, SETTLE, TICKER } from './wire.ts';

function contractOf(row: Row, venueSymbol: string): Contract | string {
  const [, base, quote] = TICKER.exec(venueSymbol) ?? [];
  if (base === undefined || quote === undefined) return 'no base or quote in the ticker';
  const venueStatus = textOf(row.status) ?? '';
  const status = CONTRACT_STATUS[venueStatus];
  if (status === undefined) return `unknown status ${venueStatus}`;
  return linearContract({
    venueSymbol,
    base,
    quote,
    settle: SETTLE,
    status,
    venueStatus,
    assetClass: assetClassOf(base, CLASS_OF_BASE[base] ?? 'crypto'),
    maxLeverage: leverageOf(row.initialMarginFraction),
    intervalHours: INTERVAL_HOURS,
  });
}

/** One reply has everything but the book. `nextFundingRate` is the running rate of one hour. */
export function parseMarkets(payload: unknown, receivedAtMs: number): Batch {
  const markets = rowOf(rowOf(payload, 'perpetualMarkets').markets, 'markets');
  return readContracts(Object.values(markets), 'ticker', 'linear', contractOf, (row, contract, batch) => {
    // Before its opening and after its end, a market's rate and volume are not valid.
    if (contract.status === 'preopen' || contract.status === 'delisted') return null;
    // The oracle price is both the index and what margins are computed with: there is no mark price of its own.
    const oraclePrice = positiveOf(row.oraclePrice);
    addFigures(batch, contract, {
      markPrice: oraclePrice,
      indexPrice: oraclePrice,
      openInterest: { amount: row.openInterest, unit: 'base' },
    });
    const volumeFault = addVolume(batch, contract, amountOf(row.volume24H), oraclePrice);
    const rateFault = addQuote(batch, contract, {
      ratePct: percentFromFraction(row.nextFundingRate),
      nextFundingAtMs: nextFullHourMs(receivedAtMs),
      intervalHours: INTERVAL_HOURS,
      venueTimeMs: null,
    });
    return firstReason(rateFault, volumeFault);
  });
}

/** Newest first. The indexer converts the chain's eight-hour figure to the rate of one hour before it answers. */
export function parseHistoricalFunding(
  payload: unknown,
  window: { fromMs: number; toMs: number },
  limit: number,
): SettlementPage {
  const rows = listOf(rowOf(payload, 'historicalFunding').historicalFunding, 'historicalFunding');
  const prints = readPrints(rows, { symbolField: 'ticker' }, window, (row) => ({
    ratePct: percentFromFraction(row.rate),
    settledAtMs: isoMsOf(row.effectiveAt),
  }));
  // The venue refuses a limit above its own instead of cutting the page, so only a full page can have older rows.
  return pageBackward(prints, { fromMs: window.fromMs }, prints.rowCount >= limit);
}

export function parseOrderbook(payload: unknown, contract: Contract): Depth {
  const row = rowOf(payload, 'orderbook');
  const sides = { bids: listOf(row.bids, 'bids'), asks: listOf(row.asks, 'asks') };
  return readBook(contract, sides, 'base', null, { price: 'price', size: 'size' });
}
