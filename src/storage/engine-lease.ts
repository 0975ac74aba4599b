import type { Fence } from './fences.ts';

/** The right to publish: of several processes only one has it at a time. */
export interface EngineLease {
  isHeld(): boolean;
  /** The fencing number for writes; null in a single process. */
  fence(): Fence | null;
}

/** A single process may always publish. */
export const ALWAYS_HELD: EngineLease = { isHeld: () => true, fence: () => null };
