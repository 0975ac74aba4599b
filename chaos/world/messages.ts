import type { RateRule } from '../invariants/alerts.ts';

/** What the run sends to a service process, which has a clock that only these messages move. */
export type Order =
  /** Time passes; resolves when everything that became due is done. */
  | { order: 'advance'; byMs: number }
  /** The same, but with a stop wherever something is due. */
  | { order: 'walk'; byMs: number }
  /** The machine's clock is set; no time passes. */
  | { order: 'step clock'; byMs: number }
  /** Ends the collector's thread as a crash does; resolves to whether there is one, once it collects again. */
  | { order: 'kill thread' }
  /** Resolves with a `Measured`. */
  | { order: 'measure' }
  | { order: 'create account'; plan: string }
  | { order: 'create key'; accountId: string }
  | { order: 'revoke key'; keyId: string }
  /** Creates an alert that is sent to a webhook. */
  | { order: 'create alert'; accountId: string; url: string; rule: RateRule }
  | { order: 'stop' };

export interface Request {
  id: number;
  order: Order;
}

/** Resources of a process. Delays are those since the last time it was measured. */
export interface Measured {
  residentBytes: number;
  /** After a garbage collection. */
  heapBytes: number;
  /** Buffers outside of the heap. */
  bufferBytes: number;
  descriptors: number;
  loopDelayP99Ms: number;
  loopDelayMaxMs: number;
}

export interface CreatedKey {
  keyId: string;
  text: string;
}

export type Message =
  | { kind: 'ready'; baseUrl: string; adminUrl: string }
  | { kind: 'failed to start'; reason: string }
  | { kind: 'done'; id: number; result: unknown; cpuMs: number }
  | { kind: 'refused'; id: number; reason: string };
