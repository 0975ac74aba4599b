import type { RpcRequest } from '../protocol/protocol.ts';
import type { ToolCall } from './tool-calls.ts';

/** A request body split into its id and the rest, which is the same whenever a client repeats a call. */
export interface SplitBody {
  id: string | number;
  rest: string;
}

/** A parsed message without its id. */
export interface KnownCall {
  method: string;
  params: RpcRequest['params'];
  call: ToolCall;
}

const START = '{"jsonrpc":"2.0","id":';
const LATER_ID = ',"id":';
/** Ids whose JSON needs no unescaping. */
const PLAIN_ID = /^(?:0|[1-9]\d{0,14}|"[\w-]{1,64}")$/;
/** Typical calls are far shorter. */
const MAX_CHARACTERS = 2000;
const MAX_KNOWN = 2000;

/**
 * Splits off the id in the two forms that clients write: right after the version, or as the last member. In valid JSON
 * the last member before the closing brace belongs to the message itself, whatever precedes it.
 */
export function splitBody(text: string): SplitBody | null {
  if (text.length > MAX_CHARACTERS) return null;
  const isFirst = text.startsWith(START);
  const start = isFirst ? START.length : text.lastIndexOf(LATER_ID) + LATER_ID.length;
  const end = isFirst ? text.indexOf(',', start) : text.length - 1;
  if (start < LATER_ID.length || end < start || (!isFirst && !text.endsWith('}'))) return null;
  const id = text.slice(start, end);
  if (!PLAIN_ID.test(id)) return null;
  return {
    id: id.startsWith('"') ? id.slice(1, -1) : Number(id),
    rest: isFirst ? text.slice(end) : text.slice(0, start),
  };
}

/** Parsed calls by their body without the id, so that a repeated call is not parsed again. */
export class KnownCalls {
  #known = new Map<string, KnownCall>();

  get(rest: string): KnownCall | undefined {
    return this.#known.get(rest);
  }

  /** For repeated calls only: most calls come once, and remembering those would cost more than it saves. */
  add(rest: string, known: KnownCall): void {
    if (rest.startsWith(',') && hasOtherId(rest)) return;
    if (this.#known.size >= MAX_KNOWN) this.#known = new Map();
    this.#known.set(rest, known);
  }
}

/** JSON.parse keeps the last of repeated names, so a later id would be the message's. */
function hasOtherId(rest: string): boolean {
  return Object.hasOwn(JSON.parse(`{"jsonrpc":"2.0"${rest}`) as object, 'id');
}
