export interface RpcErrorExtras {
  /** Null when the request could not be read so far. */
  id?: string | number | null;
  /** HTTP status; 200 by default, because the message itself was fine. */
  status?: number;
  data?: unknown;
}

/** A fault of the JSON-RPC message itself. Faults of a tool's arguments are results instead. */
export class RpcError extends Error {
  readonly code: number;
  readonly id: string | number | null;
  readonly status: number;
  readonly data: unknown;

  constructor(code: number, message: string, { id = null, status = 200, data }: RpcErrorExtras = {}) {
    super(message);
    this.code = code;
    this.id = id;
    this.status = status;
    this.data = data;
  }

  toJson(): string {
    const error = { code: this.code, message: this.message, data: this.data };
    return JSON.stringify({ jsonrpc: '2.0', id: this.id, error });
  }
}
