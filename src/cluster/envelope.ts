/** Messages between processes of one version, or of two while an upgrade is under way. */
const MAGIC = 0x50;
const VERSION = 1;
const HEAD_BYTES = 6;

export interface Message<Head = unknown> {
  head: Head;
  body: Buffer;
}

/** Layout: a mark, the version, the length of the head, the head as JSON, then bytes that the head describes. */
export function pack(head: object, body: Uint8Array = new Uint8Array(0)): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const start = Buffer.alloc(HEAD_BYTES);
  start[0] = MAGIC;
  start[1] = VERSION;
  start.writeUInt32LE(json.length, 2);
  return Buffer.concat([start, json, body]);
}

/** Null for what another version or another program has sent: it is not for us. */
export function unpack(bytes: Buffer): Message<Record<string, unknown>> | null {
  if (bytes.length < HEAD_BYTES || bytes[0] !== MAGIC || bytes[1] !== VERSION) return null;
  const end = HEAD_BYTES + bytes.readUInt32LE(2);
  if (end > bytes.length) return null;
  try {
    const head: unknown = JSON.parse(bytes.toString('utf8', HEAD_BYTES, end));
    if (typeof head !== 'object' || head === null) return null;
    return { head: head as Record<string, unknown>, body: bytes.subarray(end) };
  } catch {
    return null;
  }
}
