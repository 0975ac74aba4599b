import { percentFromFraction } from '../../base/numbers.ts';
import { nextFullHourMs } from '../../base/times.ts';
import type { Batch, Contract, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  BadReply,
  epochMsOf,
  ignore,
  isRow,
  listOf,
  positiveOf,
  type Row,
  readRows,
  rowOf,
} from '../reading.ts';
import { bookOf, readLevels } from '../units.ts';
import type { SettlementPage } from '../venue.ts';
import { DELISTED, DEX_SEPARATOR, FUNDING_INTERVAL_HOURS, QUOTE, TRADING } from './wire.ts';

/** The reply is a pair of lists joined by position: the contexts carry no coin name of their own. */
export function parseMetaAndAssetCtxs(payload: unknown, receivedAtMs: number): Batch {
  const [meta, rawContexts] = listOf(payload, 'metaAndAssetCtxs');
  const universe = listOf(rowOf(meta, 'meta').universe, 'universe');
  const contexts = listOf(rawContexts, 'asset contexts');
  // One row too many or too few would give every coin behind it the rate of its neighbour.
  if (universe.length !== contexts.length) throw new BadReply('universe and contexts differ in length');
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  const rows = universe.map((row, i) => (isRow(row) ? { ...row, context: contexts[i] } : row));
  readRows(rows, batch, 'name', (row, name) => {
    if (name.includes(DEX_SEPARATOR)) return ignore('builder-deployed market');
    const contract = contractOf(row, name);
    contracts.push(contract);
    if (contract.status === 'delisted') return ignore('delisted');
    return readContext(batch, name, row.context, receivedAtMs);
  });
  batch.contractList = { part: 'perps', contracts };
  return batch;
}

function contractOf(row: Row, name: string): Contract {
  const isDelisted = row.isDelisted === true;
  return {
    venueSymbol: name,
    base: name,
    quote: QUOTE,
    settle: QUOTE,
    isInverse: false,
    contractSize: 1,
    status: isDelisted ? 'delisted' : 'trading',
    venueStatus: isDelisted ? DELISTED : TRADING,
    assetClass: 'crypto',
    listedAtMs: null,
    delistsAtMs: null,
    maxLeverage: positiveOf(row.maxLeverage),
    intervalHours: FUNDING_INTERVAL_HOURS,
  };
}

/** `impactPxs` are fill prices of a fixed notional, not the best bid and ask, so no book top comes from here. */
function readContext(batch: Batch, venueSymbol: string, value: unknown, receivedAtMs: number): string | null {
  if (!isRow(value)) return 'no context';
  const volume24hUsdt = amountOf(value.dayNtlVlm);
  const referencePrice = positiveOf(value.midPx) ?? positiveOf(value.markPx);
  if (volume24hUsdt !== null) batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice });
  const ratePct = percentFromFraction(value.funding);
  if (ratePct === null) return 'no rate';
  batch.fundingQuotes.push({
    venueSymbol,
    ratePct,
    nextFundingAtMs: nextFullHourMs(receivedAtMs),
    intervalHours: FUNDING_INTERVAL_HOURS,
    venueTimeMs: null,
  });
  return volume24hUsdt === null ? 'no volume' : null;
}

/** Pages are ascending with both ends of the window in them; a full one continues after its last timestamp. */
export function parseFundingHistory(
  payload: unknown,
  window: { toMs: number },
  limit: number,
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const rows = listOf(payload, 'fundingHistory');
  const batch = emptyBatch();
  let lastMs = 0;
  readRows(rows, batch, 'coin', (row, venueSymbol) => {
    const ratePct = percentFromFraction(row.fundingRate);
    const settledAtMs = epochMsOf(row.time);
    if (settledAtMs !== null) lastMs = Math.max(lastMs, settledAtMs);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  if (rows.length >= limit && lastMs > 0 && lastMs < window.toMs)
    page.next = { fromMs: lastMs + 1, toMs: window.toMs };
  return page;
}

export function parseBook(payload: unknown, contract: Contract): Depth {
  const row = rowOf(payload, 'l2Book');
  if (row.coin !== contract.venueSymbol) throw new BadReply('l2Book of another coin');
  const [bids, asks] = listOf(row.levels, 'levels');
  const fields = { price: 'px', size: 'sz' };
  return bookOf(
    contract,
    readLevels(contract, bids, 'base', fields),
    readLevels(contract, asks, 'base', fields),
    epochMsOf(row.time),
  );
}
