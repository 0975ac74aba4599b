import type { RpcRequest } from '../protocol/protocol.ts';
import type { ToolCall } from './tool-calls.ts';

/** A body around its id: what is left of it is the same each time a client asks the same. */
export interface SplitBody {
  id: string | number;
  rest: string;
}

/** A message that was read before, but for its id. */
export interface KnownCall {
  method: string;
  params: RpcRequest['params'];
  call: ToolCall;
}

const START = '{"jsonrpc":"2.0","id":';
const LATER_ID = ',"id":';
/** Ids that read the same as JSON and as they stand. */
const PLAIN_ID = /^(?:0|[1-9]\d{0,14}|"[\w-]{1,64}")$/;
/** Usual calls are far shorter. */
const MAX_CHARACTERS = 2000;
const MAX_KNOWN = 2000;

/**
 * Takes the id out of the two ways in which clients write a message: first after the version, or last of all. In JSON
 * that is valid, the last pair before the closing brace belongs to the message itself, whatever stands before it.
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

/** Calls by their text without the id, so that what is asked again is not read again. */
export class KnownCalls {
  #known = new Map<string, KnownCall>();

  get(rest: string): KnownCall | undefined {
    return this.#known.get(rest);
  }

  /** To be told of calls that were asked before: most are asked once, and remembering those would cost more. */
  add(rest: string, known: KnownCall): void {
    if (rest.startsWith(',') && hasOtherId(rest)) return;
    if (this.#known.size >= MAX_KNOWN) this.#known = new Map();
    this.#known.set(rest, known);
  }
}

/** A name that comes twice has its last value, so a later id would be the message's. */
function hasOtherId(rest: string): boolean {
  return Object.hasOwn(JSON.parse(`{"jsonrpc":"2.0"${rest}`) as object, 'id');
}
