import { ownValue } from '../../base/own-value.ts';
import { assetClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { epochMsOf, positiveOf, textOf } from '../fields.ts';
import { type Batch, type Contract, type ContractStatus, contractWith, withEnd } from '../observations.ts';
import { ignore, isRow, listOf, type Row } from '../reading.ts';
import { type Category, replyOf } from './parse.ts';
import {
  ASSET_CLASS,
  AUCTION_PHASE,
  BASE_ALIASES,
  CONTRACT_SIZE,
  CONTRACT_STATUS,
  INNOVATION_TAKER_FEE_PCT,
  INNOVATION_ZONE,
  OPEN_PHASE,
  PRE_MARKET_STATUS,
  PRE_MARKET_TAKER_FEE_PCT,
} from './wire.ts';

interface InstrumentPage {
  batch: Batch;
  rowCount: number;
  /** The cursor of the next page, decoded; null when there is none. */
  cursor: string | null;
}

export function parseInstruments(payload: unknown, category: Category): InstrumentPage {
  const { result } = replyOf(payload, 'instruments-info');
  const rows = listOf(result.list, 'instruments-info list');
  const cursor = textOf(result.nextPageCursor);
  return {
    batch: readContracts(rows, 'symbol', category, readContract),
    rowCount: rows.length,
    // The cursor arrives percent-encoded, and the caller encodes every query value.
    cursor: cursor && new URLSearchParams(`c=${cursor}`).get('c'),
  };
}

function readContract(row: Row, venueSymbol: string): Contract | string {
  const kind = textOf(row.contractType) ?? '';
  if (kind === 'LinearFutures' || kind === 'InverseFutures') return ignore('dated future');
  if (kind === '') return ignore('spot');
  if (kind !== 'LinearPerpetual' && kind !== 'InversePerpetual') return `unknown contract type ${kind}`;
  const base = textOf(row.baseCoin);
  const quote = textOf(row.quoteCoin);
  const settle = textOf(row.settleCoin);
  if (base === null || quote === null || settle === null) return 'no base, quote or settle coin';
  const isInverse = kind === 'InversePerpetual';
  if (isInverse !== (settle === base)) return ignore('quanto');
  const venueStatus = textOf(row.status) ?? '';
  const status = statusOf(venueStatus, row);
  if (status === undefined) return `unknown status ${venueStatus}`;
  const delistsAtMs = epochMsOf(row.deliveryTime);
  const known = ownValue(BASE_ALIASES, base) ?? base;
  return contractWith({
    venueSymbol,
    base: known,
    quote,
    settle: isInverse ? known : settle,
    isInverse,
    contractSize: CONTRACT_SIZE,
    status: withEnd(status, delistsAtMs),
    venueStatus,
    assetClass: assetClassOf(known, ASSET_CLASS[textOf(row.symbolType) ?? ''] ?? 'crypto'),
    listedAtMs: continuousTradingAtMs(row) ?? epochMsOf(row.launchTime),
    delistsAtMs,
    maxLeverage: isRow(row.leverageFilter) ? positiveOf(row.leverageFilter.maxLeverage) : null,
    intervalHours: wholeHours(row.fundingInterval),
    ...feeOf(row, venueStatus),
  });
}

/** A pre-market contract pays its own fee until it becomes an ordinary one, whatever its zone. */
function feeOf(row: Row, venueStatus: string): { takerFeePct?: number } {
  if (venueStatus === PRE_MARKET_STATUS || row.isPreListing === true)
    return { takerFeePct: PRE_MARKET_TAKER_FEE_PCT };
  return row.symbolType === INNOVATION_ZONE ? { takerFeePct: INNOVATION_TAKER_FEE_PCT } : {};
}

function statusOf(venueStatus: string, row: Row): ContractStatus | undefined {
  const status = CONTRACT_STATUS[venueStatus];
  if (venueStatus !== PRE_MARKET_STATUS || !isRow(row.preListingInfo)) return status;
  const phase = textOf(row.preListingInfo.curAuctionPhase) ?? '';
  return AUCTION_PHASE[phase] ?? status;
}

/** `launchTime` of a pre-market contract is when the venue first showed it, about a day before trading began. */
function continuousTradingAtMs(row: Row): number | null {
  const phases = isRow(row.preListingInfo) ? row.preListingInfo.phases : null;
  if (!Array.isArray(phases)) return null;
  const open: unknown = phases.find((phase: unknown) => isRow(phase) && phase.phase === OPEN_PHASE);
  return isRow(open) ? epochMsOf(open.startTime) : null;
}

/** The list gives minutes. A value that is no whole number of hours must be in another unit and is not used. */
function wholeHours(minutes: unknown): number | null {
  const hours = (positiveOf(minutes) ?? 0) / 60;
  return hours >= 1 && Number.isInteger(hours) ? hours : null;
}
