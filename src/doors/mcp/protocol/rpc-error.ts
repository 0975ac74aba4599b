interface RpcErrorExtras {
  /** Null if the request could not be parsed far enough. */
  id?: string | number | null;
  /** HTTP status; 200 by default, for errors of a well-formed message. */
  status?: number;
  data?: unknown;
}

/** An error of the JSON-RPC message itself. Errors of a tool's arguments are results with `isError`. */
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
