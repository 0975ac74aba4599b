/** The format of messages between processes. During an upgrade two versions exchange them. */
const MAGIC = 0x50;
const VERSION = 1;
const HEAD_BYTES = 6;

export interface Message {
  /** Not parsed yet, except that it is an object. */
  head: Record<string, unknown>;
  body: Buffer;
}

/** Layout: a magic byte, the version, the length of the head, the head as JSON, then bytes that the head describes. */
export function pack(head: object, body: Uint8Array = new Uint8Array(0)): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const start = Buffer.alloc(HEAD_BYTES);
  start[0] = MAGIC;
  start[1] = VERSION;
  start.writeUInt32LE(json.length, 2);
  return Buffer.concat([start, json, body]);
}

/** Null for a message of another version or program. */
export function unpack(bytes: Buffer): Message | null {
  if (bytes.length < HEAD_BYTES || bytes[0] !== MAGIC || bytes[1] !== VERSION) return null;
  const end = HEAD_BYTES + bytes.readUInt32LE(2);
  if (end > bytes.length) return null;
  try {
    const head: unknown = JSON.parse(bytes.toString('utf8', HEAD_BYTES, end));
    return isObject(head) ? { head, body: bytes.subarray(end) } : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
