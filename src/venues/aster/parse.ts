import { decimalOrNull } from '../../base/numbers.ts';
import type { AssetClass, Batch, Contract, ContractStatus } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  BadReply,
  epochMsOf,
  ignore,
  isRow,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import type { ParseContext } from '../venue.ts';
import {
  CLASS_OF_CHANNEL,
  CLASS_OF_SUB_TYPE,
  COINS_AMONG_COMMODITIES,
  CONTRACT_STATUS,
  NO_DELIVERY_MS,
  NOTICE_OK,
} from './wire.ts';

function assetClassOf(row: Row, base: string): AssetClass {
  if (COINS_AMONG_COMMODITIES.has(base)) return 'crypto';
  const subTypes = Array.isArray(row.underlyingSubType) ? (row.underlyingSubType as unknown[]) : [];
  for (const subType of subTypes) {
    const found = CLASS_OF_SUB_TYPE[String(subType).toUpperCase()];
    if (found) return found;
  }
  return CLASS_OF_CHANNEL[(textOf(row.channel) ?? '').toLowerCase()] ?? 'crypto';
}

export function parseExchangeInfo(payload: unknown): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(listOf(rowOf(payload, 'exchangeInfo').symbols, 'symbols'), batch, 'symbol', (row, venueSymbol) => {
    const kind = textOf(row.contractType) ?? '';
    // A contract that is only announced may still have no type; its far delivery date shows what it will be.
    const isPerpetual =
      kind === '' ? decimalOrNull(row.deliveryDate) === NO_DELIVERY_MS : kind.includes('PERPETUAL');
    if (!isPerpetual) return ignore('dated future');
    const base = textOf(row.baseAsset);
    const quote = textOf(row.quoteAsset);
    const settle = textOf(row.marginAsset);
    if (base === null || quote === null || settle === null) return 'no base, quote or margin asset';
    if (settle === base) return ignore('inverse');
    const venueStatus = textOf(row.status) ?? '';
    const status = (CONTRACT_STATUS as Record<string, ContractStatus>)[venueStatus];
    if (status === undefined) return `unknown status ${venueStatus}`;
    const deliveryMs = epochMsOf(row.deliveryDate);
    const delistsAtMs = deliveryMs !== null && deliveryMs < NO_DELIVERY_MS ? deliveryMs : null;
    contracts.push({
      venueSymbol,
      base,
      quote,
      settle,
      isInverse: false,
      contractSize: 1,
      status: status === 'trading' && delistsAtMs !== null ? 'delisting' : status,
      venueStatus,
      assetClass: assetClassOf(row, base),
      listedAtMs: epochMsOf(row.onboardDate),
      delistsAtMs,
      maxLeverage: null,
      intervalHours: null,
    });
    return null;
  });
  batch.contractList = { part: 'linear', contracts };
  return batch;
}

/** Unlike Binance's, this reply lists every contract, so one that is absent has no interval rather than 8 hours. */
export function parseFundingInfo(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  readRows(listOf(payload, 'fundingInfo'), batch, 'symbol', (row, venueSymbol) => {
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const intervalHours = positiveOf(row.fundingIntervalHours);
    if (intervalHours === null) return 'no interval';
    batch.fundingSchedules.push({ venueSymbol, intervalHours, nextFundingAtMs: undefined });
    return null;
  });
  return batch;
}

export function parseNotices(payload: unknown): Batch {
  const reply = rowOf(payload, 'announcement/search');
  if (reply.code !== NOTICE_OK) throw new BadReply(`announcement/search answers code ${String(reply.code)}`);
  const batch = emptyBatch();
  for (const row of listOf(rowOf(reply.data, 'data').rows, 'rows')) {
    const id = isRow(row) ? (decimalOrNull(row.id) ?? textOf(row.id)) : null;
    const title = isRow(row) ? textOf(row.title) : null;
    const publishedAtMs = isRow(row) ? epochMsOf(row.publishTime) : null;
    if (!isRow(row) || id === null || title === null || publishedAtMs === null) {
      batch.rejected.push({ venueSymbol: null, reason: 'notice without id, title or time' });
      continue;
    }
    const body = [textOf(row.subtitle), textOf(row.content)].filter((text) => text !== null).join('\n');
    batch.announcements.push({
      id: String(id),
      title,
      body: body === '' ? null : body,
      category: textOf(row.category) ?? '',
      url: textOf(row.jumpLink),
      publishedAtMs,
    });
  }
  return batch;
}
