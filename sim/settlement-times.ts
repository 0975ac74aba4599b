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
