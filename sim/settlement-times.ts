import { DAY_MS, HOUR_MS } from '../src/base/times.ts';
import type { SimContract } from './contracts.ts';
import { stepped } from './noise.ts';

/** Blocks after which a contract may change its interval; midnight to midnight, so that every grid fits. */
const INTERVAL_BLOCK_MS = 45 * DAY_MS;

/** One contract in four. */
export function changesInterval(seed: number): boolean {
  return seed % 4 === 0;
}

/** The settlement interval in force at that time: most contracts keep theirs, one in four changes occasionally. */
export function intervalHoursAt(contract: SimContract, atMs: number): number {
  const draw = changesInterval(contract.seed)
    ? stepped(contract.seed ^ 0x51f15e, atMs / INTERVAL_BLOCK_MS)
    : stepped(contract.seed ^ 0x51f15e, 0);
  // The first interval of the profile is the default.
  const index = draw < 0.5 ? 0 : Math.floor((draw - 0.5) * 2 * contract.intervals.length);
  return contract.intervals[index] ?? 8;
}

/** The interval of a contract that never changes it; null for the others. */
export function constantIntervalHours(contract: SimContract): number | null {
  return changesInterval(contract.seed) ? null : intervalHoursAt(contract, 0);
}

/** The last settlement at or before the given time, and the first one strictly after it. */
export function settlementsAround(contract: SimContract, atMs: number): { lastMs: number; nextMs: number } {
  const intervalHours = intervalHoursAt(contract, atMs);
  const stepMs = intervalHours * HOUR_MS;
  const offsetMs = (contract.offGridHours[intervalHours] ?? 0) * HOUR_MS;
  const lastMs = Math.floor((atMs - offsetMs) / stepMs) * stepMs + offsetMs;
  if (!changesInterval(contract.seed)) return { lastMs, nextMs: lastMs + stepMs };
  const blockEndMs = Math.floor(atMs / INTERVAL_BLOCK_MS) * INTERVAL_BLOCK_MS + INTERVAL_BLOCK_MS;
  return { lastMs, nextMs: Math.min(lastMs + stepMs, blockEndMs) };
}

/** The first settlement strictly after the given time. */
export function nextSettlementMs(contract: SimContract, afterMs: number): number {
  return settlementsAround(contract, afterMs).nextMs;
}

/** A time with one interval: it settles at whole steps from the offset, later than `afterMs`. */
interface Stretch {
  afterMs: number;
  stepMs: number;
  offsetMs: number;
}

/** The stretch that a settlement at this time belongs to. */
function stretchOf(contract: SimContract, atMs: number): Stretch {
  const intervalHours = intervalHoursAt(contract, atMs - 1);
  return {
    afterMs: changesInterval(contract.seed)
      ? (Math.ceil(atMs / INTERVAL_BLOCK_MS) - 1) * INTERVAL_BLOCK_MS
      : Number.NEGATIVE_INFINITY,
    stepMs: intervalHours * HOUR_MS,
    offsetMs: (contract.offGridHours[intervalHours] ?? 0) * HOUR_MS,
  };
}

/** How often a contract settles in [fromMs, toMs] within its life, without computing its settlements. */
export function settlementCount(contract: SimContract, fromMs: number, toMs: number): number {
  const startMs = Math.max(fromMs, contract.listedAtMs);
  let count = 0;
  let endMs = Math.min(toMs, contract.delistsAtMs ?? toMs);
  while (endMs >= startMs) {
    const { afterMs, stepMs, offsetMs } = stretchOf(contract, endMs);
    const stepsUntil = (atMs: number) => Math.floor((atMs - offsetMs) / stepMs);
    count += stepsUntil(endMs) - stepsUntil(Math.max(startMs - 1, afterMs));
    endMs = afterMs;
  }
  return count;
}

/** The times of the newest settlements up to `toMs`, newest first, after so many newer ones are skipped. */
export function newestSettlementTimes(
  contract: SimContract,
  toMs: number,
  count: number,
  skipped = 0,
): number[] {
  const times: number[] = [];
  let left = skipped;
  let endMs = Math.min(toMs, contract.delistsAtMs ?? toMs);
  while (endMs >= contract.listedAtMs && times.length < count) {
    const { afterMs, stepMs, offsetMs } = stretchOf(contract, endMs);
    const firstMs = Math.max(contract.listedAtMs - 1, afterMs);
    const lastMs = Math.floor((endMs - offsetMs) / stepMs) * stepMs + offsetMs;
    for (let atMs = lastMs - left * stepMs; atMs > firstMs && times.length < count; atMs -= stepMs)
      times.push(atMs);
    left = Math.max(0, left - Math.max(0, Math.ceil((lastMs - firstMs) / stepMs)));
    endMs = afterMs;
  }
  return times;
}
