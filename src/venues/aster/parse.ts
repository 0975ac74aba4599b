import { decimalOrNull } from '../../base/numbers.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { listedContract, readContracts, statusFrom } from '../contract-list.ts';
import { epochMsOf, idOf, positiveOf, textOf } from '../fields.ts';
import type { AssetClass, Batch } from '../observations.ts';
import { goodReply, ignore, listOf, type Row, rowOf } from '../reading.ts';
import { readListed, readNotices } from '../row-readers.ts';
import type { ParseContext } from '../venue.ts';
import {
  CLASS_OF_CHANNEL,
  CLASS_OF_SUB_TYPE,
  CONTRACT_STATUS,
  NO_DELIVERY_MS,
  NOT_A_COIN,
  NOTICE_OK,
} from './wire.ts';

function labelledClassOf(row: Row, base: string): AssetClass {
  const subTypes = Array.isArray(row.underlyingSubType) ? (row.underlyingSubType as unknown[]) : [];
  for (const subType of subTypes) {
    const found = CLASS_OF_SUB_TYPE[String(subType).toUpperCase()];
    if (found) return found;
  }
  const ofChannel = CLASS_OF_CHANNEL[(textOf(row.channel) ?? '').toLowerCase()];
  return ofChannel ?? (decimalOrNull(row.symbolType) === NOT_A_COIN ? traditionalClassOf(base) : 'crypto');
}

export function parseExchangeInfo(payload: unknown): Batch {
  const rows = listOf(rowOf(payload, 'exchangeInfo').symbols, 'symbols');
  return readContracts(rows, 'symbol', 'linear', (row, venueSymbol) => {
    const kind = textOf(row.contractType) ?? '';
    // A contract that is only announced may have no type yet; its far delivery date shows that it is a perpetual.
    const isPerpetual =
      kind === '' ? decimalOrNull(row.deliveryDate) === NO_DELIVERY_MS : kind.includes('PERPETUAL');
    if (!isPerpetual) return ignore('dated future');
    const settle = textOf(row.marginAsset);
    if (settle !== null && settle === row.baseAsset) return ignore('inverse');
    const deliveryMs = epochMsOf(row.deliveryDate);
    return listedContract({
      venueSymbol,
      base: row.baseAsset,
      quote: row.quoteAsset,
      settle,
      ...statusFrom(CONTRACT_STATUS, row.status),
      assetClass: (base) => assetClassOf(base, labelledClassOf(row, base)),
      listedAtMs: epochMsOf(row.onboardDate),
      delistsAtMs: deliveryMs !== null && deliveryMs < NO_DELIVERY_MS ? deliveryMs : null,
    });
  });
}

/** Unlike Binance's, this reply lists every contract, so one that is absent has no interval rather than 8 hours. */
export function parseFundingInfo(payload: unknown, context: ParseContext): Batch {
  return readListed(listOf(payload, 'fundingInfo'), 'symbol', context, (row, { venueSymbol }, batch) => {
    const intervalHours = positiveOf(row.fundingIntervalHours);
    if (intervalHours === null) return 'no interval';
    batch.fundingSchedules.push({ venueSymbol, intervalHours, nextFundingAtMs: undefined });
    return null;
  });
}

export function parseNotices(payload: unknown): Batch {
  const reply = goodReply(payload, 'announcement/search', 'code', NOTICE_OK);
  return readNotices(listOf(rowOf(reply.data, 'data').rows, 'rows'), (row) => {
    const body = [textOf(row.subtitle), textOf(row.content)].filter((text) => text !== null).join('\n');
    return {
      id: idOf(row.id),
      title: textOf(row.title),
      body: textOf(body),
      category: textOf(row.category) ?? '',
      url: textOf(row.jumpLink),
      publishedAtMs: epochMsOf(row.publishTime),
    };
  });
}
