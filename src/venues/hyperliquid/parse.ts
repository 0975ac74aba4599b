import { percentFromFraction } from '../../base/numbers.ts';
import { nextFullHourMs } from '../../base/times.ts';
import { readContracts } from '../contract-list.ts';
import { amountOf, epochMsOf, positiveOf } from '../fields.ts';
import { type Batch, type Contract, type Depth, linearContract } from '../observations.ts';
import { pageForward, readPrints } from '../prints.ts';
import { BadReply, ignore, isRow, listOf, type Row, rowOf } from '../reading.ts';
import { addFigures, addQuote, addVolume, firstReason } from '../row-readers.ts';
import { readBook } from '../units.ts';
import type { SettlementPage } from '../venue.ts';
import { DELISTED, DEX_SEPARATOR, FUNDING_INTERVAL_HOURS, QUOTE, TRADING } from './wire.ts';

/** The reply is a pair of lists joined by position: the contexts carry no coin name of their own. */
export function parseMetaAndAssetCtxs(payload: unknown, receivedAtMs: number): Batch {
  const [meta, rawContexts] = listOf(payload, 'metaAndAssetCtxs');
  const universe = listOf(rowOf(meta, 'meta').universe, 'universe');
  const contexts = listOf(rawContexts, 'asset contexts');
  // With one row too many or too few, every coin after it would get the rate of its neighbour.
  if (universe.length !== contexts.length) throw new BadReply('universe and contexts differ in length');
  const rows = universe.map((row, i) => (isRow(row) ? { ...row, context: contexts[i] } : row));
  return readContracts(
    rows,
    'name',
    'perps',
    (row, name) => (name.includes(DEX_SEPARATOR) ? ignore('builder-deployed market') : contractOf(row, name)),
    (row, contract, batch) =>
      contract.status === 'delisted'
        ? ignore('delisted')
        : readContext(batch, contract, row.context, receivedAtMs),
  );
}

function contractOf(row: Row, name: string): Contract {
  const isDelisted = row.isDelisted === true;
  return linearContract({
    venueSymbol: name,
    base: name,
    quote: QUOTE,
    status: isDelisted ? 'delisted' : 'trading',
    venueStatus: isDelisted ? DELISTED : TRADING,
    maxLeverage: positiveOf(row.maxLeverage),
    intervalHours: FUNDING_INTERVAL_HOURS,
  });
}

/** `impactPxs` are fill prices of a fixed notional, not the best bid and ask, so they are not used as a book top. */
function readContext(batch: Batch, contract: Contract, value: unknown, receivedAtMs: number): string | null {
  if (!isRow(value)) return 'no context';
  const markPrice = positiveOf(value.markPx);
  const referencePrice = positiveOf(value.midPx) ?? markPrice;
  addFigures(batch, contract, {
    markPrice,
    indexPrice: positiveOf(value.oraclePx),
    openInterest: { amount: value.openInterest, unit: 'base' },
  });
  const volumeFault = addVolume(batch, contract, amountOf(value.dayNtlVlm), referencePrice);
  const rateFault = addQuote(batch, contract, {
    ratePct: percentFromFraction(value.funding),
    nextFundingAtMs: nextFullHourMs(receivedAtMs),
    intervalHours: FUNDING_INTERVAL_HOURS,
    venueTimeMs: null,
  });
  return firstReason(rateFault, volumeFault);
}

/** Pages are ascending and include both ends of the window. */
export function parseFundingHistory(
  payload: unknown,
  window: { toMs: number },
  limit: number,
): SettlementPage {
  const prints = readPrints(listOf(payload, 'fundingHistory'), { symbolField: 'coin' }, {}, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.time),
  }));
  return pageForward(prints, { toMs: window.toMs }, prints.rowCount >= limit);
}

export function parseBook(payload: unknown, contract: Contract): Depth {
  const row = rowOf(payload, 'l2Book');
  if (row.coin !== contract.venueSymbol) throw new BadReply('l2Book of another coin');
  const [bids, asks] = listOf(row.levels, 'levels');
  return readBook(contract, { bids, asks }, 'base', epochMsOf(row.time), { price: 'px', size: 'sz' });
}
