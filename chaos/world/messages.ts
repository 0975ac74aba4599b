/** What the run sends to a service process, which has a clock that only these messages move. */
export type Order =
  /** Time passes; resolves when everything that became due is done. */
  | { order: 'advance'; byMs: number }
  /** The machine's clock is set; no time passes. */
  | { order: 'step clock'; byMs: number }
  | { order: 'create account'; plan: string }
  | { order: 'create key'; accountId: string }
  | { order: 'revoke key'; keyId: string }
  | { order: 'stop' };

export interface Request {
  id: number;
  order: Order;
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
