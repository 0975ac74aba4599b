import { idOf, positiveOf, textOf } from './fields.ts';
import {
  type AssetClass,
  type Batch,
  type Contract,
  type ContractStatus,
  emptyBatch,
  withEnd,
} from './observations.ts';
import { convertVolumes } from './quotes.ts';
import { type Row, readRows } from './reading.ts';

/** A contract list. `readFigures` is for venues whose list carries rates or volumes too. */
export function readContracts(
  rows: readonly unknown[],
  symbolField: string,
  part: string,
  read: (row: Row, venueSymbol: string) => Contract | string,
  readFigures: (row: Row, contract: Contract, batch: Batch) => string | null = () => null,
): Batch {
  const batch = emptyBatch();
  const contracts: Contract[] = [];
  readRows(rows, batch, symbolField, (row, venueSymbol) => {
    const contract = read(row, venueSymbol);
    if (typeof contract === 'string') return contract;
    contracts.push(contract);
    return readFigures(row, contract, batch);
  });
  convertVolumes(batch, new Map(contracts.map((contract) => [contract.venueSymbol, contract])));
  batch.contractList = { part, contracts };
  return batch;
}

type Given = 'venueSymbol' | 'status' | 'venueStatus' | 'base' | 'quote' | 'assetClass' | 'maxLeverage';

/** What a row says of its contract. Null and undefined: the row does not say it. */
export type ListedFields = {
  [Key in Exclude<keyof Contract, Given>]?: Contract[Key] | null | undefined;
} & {
  venueSymbol: string;
  /** Base, quote and leverage are the fields as the venue sends them. */
  base: unknown;
  quote: unknown;
  maxLeverage?: unknown;
  status: ContractStatus | undefined;
  venueStatus: string;
  /** When the list was received: with it, a contract whose listing lies ahead is not open yet. */
  receivedAtMs?: number;
  /** A coin if not given. A function gets the base, once it is known that there is one. */
  assetClass?: AssetClass | ((base: string) => AssetClass);
};

/**
 * The contract of a row, or the reason why the row has none. Unless the row says otherwise it is linear, settled in its
 * quote (inverse: in its base) and counted in base units. A settle currency or a contract size of null is a missing one. A
 * contract that trades and has an end set is delisting.
 */
export function listedContract(fields: ListedFields): Contract | string {
  const { status, venueStatus, assetClass = 'crypto', venueId, takerFeePct } = fields;
  const [base, quote] = [textOf(fields.base), textOf(fields.quote)];
  if (base === null || quote === null) return 'no base or quote';
  const isInverse = fields.isInverse ?? false;
  const { settle = isInverse ? base : quote, contractSize = 1 } = fields;
  if (settle === null) return 'no settle currency';
  if (contractSize === null) return 'no contract size';
  if (status === undefined) return `unknown status ${venueStatus}`;
  const { listedAtMs = null, delistsAtMs = null, receivedAtMs = Number.POSITIVE_INFINITY } = fields;
  const isAhead = listedAtMs !== null && listedAtMs > receivedAtMs;
  const contract: Contract = {
    venueSymbol: fields.venueSymbol,
    base,
    quote,
    settle,
    isInverse,
    contractSize,
    status: isAhead ? 'preopen' : withEnd(status, delistsAtMs),
    venueStatus,
    assetClass: typeof assetClass === 'function' ? assetClass(base) : assetClass,
    listedAtMs,
    delistsAtMs,
    maxLeverage: positiveOf(fields.maxLeverage),
    intervalHours: fields.intervalHours ?? null,
  };
  if (venueId) contract.venueId = venueId;
  if (typeof takerFeePct === 'number') contract.takerFeePct = takerFeePct;
  return contract;
}

/** The status that the venue's word or number stands for; undefined if it is in no table. */
export function statusFrom(
  table: Readonly<Record<string, ContractStatus>>,
  word: unknown,
): { status: ContractStatus | undefined; venueStatus: string } {
  const venueStatus = idOf(word) ?? '';
  return { status: table[venueStatus], venueStatus };
}
