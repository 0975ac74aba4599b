import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { bytesOf, shuffled, unzigzag, zigzag } from '../../storage/blocks.ts';

/** The order sizes of which costs are stored, in USD. A cost of another size is interpolated between them. */
export const COST_SIZES_USD = [100, 1_000, 5_000, 20_000, 75_000, 250_000] as const;
const SIZES = COST_SIZES_USD.length;
/** Of a buyer for each size, then of a seller. */
export const COSTS = 2 * SIZES;

/** A smaller cost is stored as this one: 0.02 basis points. */
const SMALLEST_PCT = 0.0002;
/** Steps of 2 %, so a stored cost is at most 1 % off. */
const LN_STEP = Math.log(1.02);

const CHECKED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** The costs of one contract, in percent; NaN where the book does not fill the size. */
export interface ContractCosts {
  id: number;
  costsPct: Float64Array;
}

/** The costs of all contracts at one time, as steps above the smallest cost: COSTS for each of the numbers, which rise. */
export interface CostSteps {
  ids: Uint32Array;
  steps: Uint16Array;
}

/** Above every known step, so it is sorted as the most expensive. */
const UNKNOWN = 0xffff;

function stepOf(pct: number): number {
  if (Number.isNaN(pct)) return UNKNOWN;
  return Math.round(Math.log(Math.max(pct, SMALLEST_PCT) / SMALLEST_PCT) / LN_STEP);
}

/** NaN if the cost is unknown. */
export function pctOf(step: number): number {
  return step === UNKNOWN ? Number.NaN : SMALLEST_PCT * Math.exp(step * LN_STEP);
}

/** A step as its difference from an expected one, which is small; 0 is unknown. */
const coded = (step: number, expected: number) => (step === UNKNOWN ? 0 : 1 + zigzag(step - expected));
const decoded = (code: number, expected: number) => (code === 0 ? UNKNOWN : expected + unzigzag(code - 1));

/**
 * Contracts by number, each with its number and twelve steps as differences that take about a byte or less: a number from
 * the one before, a buyer's cost from that of the next smaller size, a seller's from the buyer's of the same size. All
 * first bytes come first, then all second bytes.
 */
export function encodeCosts(contracts: readonly ContractCosts[]): Uint8Array {
  const values = new Uint32Array(contracts.length * (1 + COSTS));
  let lastId = 0;
  for (const [row, { id, costsPct }] of contracts.toSorted((a, b) => a.id - b.id).entries()) {
    const put = (column: number, code: number) => {
      values[column * contracts.length + row] = code;
    };
    put(0, id - lastId);
    lastId = id;
    for (let cost = 0, expected = 0; cost < SIZES; cost++) {
      const [buy, sell] = [stepOf(costsPct[cost] as number), stepOf(costsPct[SIZES + cost] as number)];
      put(1 + cost, coded(buy, expected));
      if (buy !== UNKNOWN) expected = buy;
      put(1 + SIZES + cost, coded(sell, expected));
    }
  }
  return zstdCompressSync(shuffled(bytesOf(values), 4), CHECKED);
}

/** The contracts of a block, or those with the given numbers: finding one takes a small part of the time. */
export function decodeCosts(block: Uint8Array, only: ReadonlySet<number> | null = null): ContractCosts[] {
  const values = new BlockValues(block);
  const contracts: ContractCosts[] = [];
  const steps = new Uint16Array(COSTS);
  for (let row = 0, id = 0; row < values.contracts; row++) {
    id += values.at(0, row);
    if (only !== null && !only.has(id)) continue;
    values.readSteps(row, steps, 0);
    contracts.push({ id, costsPct: Float64Array.from(steps, pctOf) });
  }
  return contracts;
}

/** All contracts of a block, in a tenth of the memory. */
export function decodeSteps(block: Uint8Array): CostSteps {
  const values = new BlockValues(block);
  const ids = new Uint32Array(values.contracts);
  const steps = new Uint16Array(values.contracts * COSTS);
  for (let row = 0, id = 0; row < values.contracts; row++) {
    id += values.at(0, row);
    ids[row] = id;
    values.readSteps(row, steps, row * COSTS);
  }
  return { ids, steps };
}

/** The values of a block, which are read where they are: most readers need few of them. A damaged block has none. */
class BlockValues {
  readonly contracts: number;
  readonly #bytes: Uint8Array;
  readonly #count: number;

  constructor(block: Uint8Array) {
    this.#bytes = checkedBytes(block);
    this.#count = this.#bytes.length / 4;
    this.contracts = this.#count / (1 + COSTS);
  }

  at(column: number, row: number): number {
    const [bytes, count, i] = [this.#bytes, this.#count, column * this.contracts + row];
    const low = (bytes[i] as number) | ((bytes[i + count] as number) << 8);
    return (low | ((bytes[i + 2 * count] as number) << 16) | ((bytes[i + 3 * count] as number) << 24)) >>> 0;
  }

  readSteps(row: number, steps: Uint16Array, at: number): void {
    for (let cost = 0, expected = 0; cost < SIZES; cost++) {
      const buy = decoded(this.at(1 + cost, row), expected);
      if (buy !== UNKNOWN) expected = buy;
      steps[at + cost] = buy;
      steps[at + SIZES + cost] = decoded(this.at(1 + SIZES + cost, row), expected);
    }
  }
}

function checkedBytes(block: Uint8Array): Uint8Array {
  try {
    const bytes = zstdDecompressSync(block);
    return bytes.length % (4 * (1 + COSTS)) === 0 ? bytes : new Uint8Array(0);
  } catch {
    return new Uint8Array(0);
  }
}

/** Where a size lies among the stored ones. */
export interface SizePlace {
  /** The stored size that is at least as large. */
  next: number;
  /** How far it is from the one before, as a share of the ratio of both; 1 at the stored size itself. */
  share: number;
}

/** Null above the largest stored size. */
export function sizePlace(sizeUsd: number): SizePlace | null {
  const next = COST_SIZES_USD.findIndex((size) => size >= sizeUsd);
  if (next < 0) return null;
  const [fromUsd, toUsd] = [COST_SIZES_USD[next - 1], COST_SIZES_USD[next] as number];
  if (fromUsd === undefined || toUsd === sizeUsd) return { next, share: 1 };
  return { next, share: Math.log(sizeUsd / fromUsd) / Math.log(toUsd / fromUsd) };
}

/** The cost of a size between two stored ones: straight in logarithms, as cost grows with a power of the size. */
export function costPctAt(costsPct: Float64Array, place: SizePlace | null, isBuy: boolean): number {
  if (!place) return Number.NaN;
  const { next, share } = place;
  const at = (size: number) => costsPct[isBuy ? size : SIZES + size] as number;
  return share === 1 ? at(next) : at(next - 1) ** (1 - share) * at(next) ** share;
}
