import { percentFromFraction } from '../../base/numbers.ts';
import { nextFullHourMs } from '../../base/times.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { amountOf, epochMsOf, positiveOf, textOf } from '../fields.ts';
import {
  type AssetClass,
  type Batch,
  type Contract,
  type Depth,
  emptyBatch,
  linearContract,
} from '../observations.ts';
import { pageForward, readPrints } from '../prints.ts';
import { BadReply, ignore, isRow, listOf, NOT_LISTED, type Row, readRows, rowOf } from '../reading.ts';
import { addFigures, addQuote, addVolume, firstReason } from '../row-readers.ts';
import { readBook } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';
import {
  CLASS_OF_CATEGORY,
  DELISTED,
  DEX_SEPARATOR,
  FUNDING_INTERVAL_HOURS,
  QUOTE,
  TRADING,
} from './wire.ts';

/** The reply is a pair of lists joined by position: the contexts carry no coin name of their own. */
function marketsIn(payload: unknown): readonly unknown[] {
  const [meta, rawContexts] = listOf(payload, 'metaAndAssetCtxs');
  const universe = listOf(rowOf(meta, 'meta').universe, 'universe');
  const contexts = listOf(rawContexts, 'asset contexts');
  // With one row too many or too few, every coin after it would get the rate of its neighbour.
  if (universe.length !== contexts.length) throw new BadReply('universe and contexts differ in length');
  return universe.map((row, i) => (isRow(row) ? { ...row, context: contexts[i] } : row));
}

/** Contracts and figures of the first dex, on which everything is a coin. */
export function parseMetaAndAssetCtxs(payload: unknown, receivedAtMs: number): Batch {
  return readContracts(
    marketsIn(payload),
    'name',
    'perps',
    (row, name) =>
      name.includes(DEX_SEPARATOR) ? ignore('market of another dex') : contractOf(row, name, name, 'crypto'),
    (row, contract, batch) =>
      contract.status === 'delisted'
        ? ignore('delisted')
        : readContext(batch, contract, row.context, receivedAtMs),
  );
}

/** The contracts of another deployer's dex. A market without a category is no coin: the deployers annotate theirs. */
export function parseDexContracts(payload: unknown, annotations: unknown, dex: string): Batch {
  const categories = new Map<unknown, unknown>();
  for (const entry of listOf(annotations, 'perpConciseAnnotations'))
    if (Array.isArray(entry) && isRow(entry[1])) categories.set(entry[0], entry[1].category);
  return readContracts(marketsIn(payload), 'name', 'perps', (row, name) => {
    if (!name.startsWith(`${dex}${DEX_SEPARATOR}`)) return ignore('market of another dex');
    const base = name.slice(dex.length + DEX_SEPARATOR.length);
    const labelled = CLASS_OF_CATEGORY[textOf(categories.get(name))?.toLowerCase() ?? ''];
    return contractOf(row, name, base, labelled ? assetClassOf(base, labelled) : traditionalClassOf(base));
  });
}

/** The figures of the contracts that the list of the dex had. */
export function parseDexContexts(payload: unknown, { receivedAtMs, contracts }: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(marketsIn(payload), batch, 'name', (row, name) => {
    const contract = contracts.get(name);
    if (!contract) return NOT_LISTED;
    return contract.status === 'delisted' || row.isDelisted === true
      ? ignore('delisted')
      : readContext(batch, contract, row.context, receivedAtMs);
  });
  return batch;
}

function contractOf(row: Row, name: string, base: string, assetClass: AssetClass): Contract {
  const isDelisted = row.isDelisted === true;
  return linearContract({
    venueSymbol: name,
    base,
    assetClass,
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
