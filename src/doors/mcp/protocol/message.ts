import type { RpcRequest } from './protocol.ts';
import { RpcError } from './rpc-error.ts';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** Arguments are flat; a deeper body is an attempt to exhaust the stack. */
const MAX_DEPTH = 32;
/** A body this short cannot be deep enough to do harm, and most calls are shorter, so their depth is not checked. */
const SHALLOW_CHARACTERS = 2000;

/** A request; null for a notification or a response, which get no reply. */
export function readMessage(text: string): RpcRequest | null {
  if (text.length > SHALLOW_CHARACTERS) refuseDeep(text);
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new RpcError(PARSE_ERROR, 'The body is not JSON', { status: 400 });
  }
  if (Array.isArray(message)) throw invalid('Batches are not supported; send one message per request');
  if (typeof message !== 'object' || message === null)
    throw invalid('The body must be a JSON-RPC 2.0 message');
  const { jsonrpc, id, method, params } = message as Record<string, unknown>;
  if (jsonrpc !== '2.0') throw invalid('"jsonrpc" must be "2.0"', id);
  if (method === undefined && ('result' in message || 'error' in message)) return null;
  if (typeof method !== 'string') throw invalid('"method" must be text', id);
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    throw invalid('"params" must be an object', id);
  if (!('id' in message)) return null;
  if (typeof id !== 'string' && !Number.isFinite(id)) throw invalid('"id" must be text or a number');
  return { id: id as string | number, method, params: (params ?? {}) as RpcRequest['params'] };
}

function invalid(message: string, id?: unknown): RpcError {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return new RpcError(INVALID_REQUEST, message, { id: known, status: 400 });
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

function refuseDeep(text: string): void {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInText) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (OPENING.has(code)) depth++;
    else if (CLOSING.has(code)) depth--;
    if (depth > MAX_DEPTH)
      throw new RpcError(INVALID_REQUEST, `The body is nested deeper than ${MAX_DEPTH} levels`, {
        status: 400,
      });
  }
}
