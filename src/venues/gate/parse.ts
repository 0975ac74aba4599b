import { percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS, SECOND_MS } from '../../base/times.ts';
import { assetClassOf } from '../asset-class.ts';
import { readContracts } from '../contract-list.ts';
import { amountOf, epochSecondsOf, positiveOf, textOf } from '../fields.ts';
import type { Batch, Contract, ContractStatus, Depth } from '../observations.ts';
import { ignore, listOf, type Row, rowOf } from '../reading.ts';
import { addFigures, addQuote, addTop, addVolume, firstReason, readListed } from '../row-readers.ts';
import { readBook, readTop, turnoverUsdt } from '../units.ts';
import type { ParseContext } from '../venue.ts';
import { ASSET_CLASS, CONTRACT_STATUS, INVERSE_FACE_USD } from './wire.ts';

/** The part is named like the settle currency in the path. */
export type Part = 'usdt' | 'usd1' | 'btc';

/** The contracts with their interval and next settlement. The tickers have the same rate in a smaller reply. */
export function parseContracts(payload: unknown, part: Part, receivedAtMs: number): Batch {
  return readContracts(
    listOf(payload, 'contracts'),
    'name',
    part,
    (row, venueSymbol) => readContract(row, venueSymbol, part, receivedAtMs),
    (row, contract, batch) => {
      if (contract.status === 'preopen' || contract.status === 'delisted') return null;
      const { venueSymbol, intervalHours } = contract;
      const nextFundingAtMs = epochSecondsOf(row.funding_next_apply);
      batch.fundingSchedules.push({ venueSymbol, intervalHours, nextFundingAtMs });
      return nextFundingAtMs === null ? 'no next settlement' : null;
    },
  );
}

function readContract(row: Row, venueSymbol: string, part: Part, receivedAtMs: number): Contract | string {
  const [base = '', quote = '', ...rest] = venueSymbol.split('_');
  if (rest.length > 0) return ignore('dated future');
  if (base === '' || quote === '') return 'no base or quote';
  const settle = part.toUpperCase();
  const isInverse = settle === base;
  if (!isInverse && quote !== settle) return ignore('quanto');
  const contractSize = positiveOf(row.quanto_multiplier) ?? (isInverse ? INVERSE_FACE_USD : null);
  if (contractSize === null) return 'no contract size';
  const venueStatus = textOf(row.status) ?? 'trading';
  const stated = CONTRACT_STATUS[venueStatus];
  if (stated === undefined) return `unknown status ${venueStatus}`;
  const endsAtMs = epochSecondsOf(row.delisted_time) ?? epochSecondsOf(row.delisting_time);
  const isFlagged = row.in_delisting === true;
  // A past end of a contract that trades belongs to an earlier listing of the same name.
  const isLeaving = isFlagged || stated !== 'trading' || (endsAtMs !== null && endsAtMs > receivedAtMs);
  const seconds = positiveOf(row.funding_interval);
  const rateCapPct = percentFromFraction(positiveOf(row.funding_rate_limit));
  return {
    venueSymbol,
    base,
    quote,
    settle,
    isInverse,
    contractSize,
    status: statusOf(stated, row, isFlagged, isLeaving),
    venueStatus,
    assetClass: assetClassOf(base, ASSET_CLASS[textOf(row.contract_type) ?? ''] ?? 'crypto'),
    listedAtMs: epochSecondsOf(row.launch_time),
    delistsAtMs: isLeaving ? endsAtMs : null,
    maxLeverage: positiveOf(row.leverage_max),
    intervalHours: seconds === null ? null : (seconds * SECOND_MS) / HOUR_MS,
    ...(rateCapPct === null ? {} : { rateCapPct }),
  };
}

/** A flagged contract with open positions is being delisted; without any it is delisted. */
function statusOf(stated: ContractStatus, row: Row, isFlagged: boolean, isLeaving: boolean): ContractStatus {
  if (stated === 'delisted' || stated === 'preopen') return stated;
  if (isFlagged) return amountOf(row.position_size) === 0 ? 'delisted' : 'delisting';
  return stated === 'trading' && isLeaving ? 'delisting' : stated;
}

export function parseTickers(payload: unknown, context: ParseContext): Batch {
  return readListed(listOf(payload, 'tickers'), 'contract', context, (row, contract, batch) => {
    const turnover = turnoverUsdt(contract, {
      linearQuote: row.volume_24h_quote,
      inverseContracts: row.volume_24h,
    });
    const fields = {
      bidPrice: row.highest_bid,
      bidSize: row.highest_size,
      askPrice: row.lowest_ask,
      askSize: row.lowest_size,
    };
    const top = readTop(contract, fields, 'contracts', null);
    if (contract.status === 'preopen' && typeof top === 'string') return ignore('not open yet');
    const markPrice = positiveOf(row.mark_price);
    // Twice the `position_size` of the contract list: see the facts of the venue.
    addFigures(batch, contract, {
      markPrice,
      indexPrice: positiveOf(row.index_price),
      openInterest: { amount: row.total_size, unit: 'contracts' },
    });
    return firstReason(
      addQuote(batch, contract, {
        ratePct: percentFromFraction(row.funding_rate),
        nextFundingAtMs: undefined,
        intervalHours: undefined,
        venueTimeMs: null,
      }),
      addTop(batch, top),
      addVolume(batch, contract, turnover, positiveOf(row.last)),
    );
  });
}

export function parseDepth(payload: unknown, contract: Contract): Depth {
  const { bids, asks, current } = rowOf(payload, 'order_book');
  const fields = { price: 'p', size: 's' };
  return readBook(contract, { bids, asks }, 'contracts', epochSecondsOf(current), fields);
}
