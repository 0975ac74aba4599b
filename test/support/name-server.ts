import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

/** The addresses of a name; null: no answer comes. An empty list: there is no such name. */
export type Zone = (name: string) => readonly string[] | null;

export interface NameServer {
  /** As `Resolver.setServers` takes it. */
  address: string;
  /** The names that were requested, in order, each once. */
  requested: string[];
  /** The most names that were waiting at the same time; a resolver gives up a name that waits for two seconds. */
  mostWaiting(): number;
  zone: Zone;
  close(): void;
}

const HEADER_BYTES = 12;
const AAAA = 28;
const NO_SUCH_NAME = 3;
/** A little less than the resolver's timeout. */
const WAITING_MS = 1_900;

/** A DNS server on loopback that answers A and AAAA queries. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  const waitingSinceMs = new Map<string, number>();
  let mostWaiting = 0;
  const server: NameServer = {
    address: '',
    requested: [],
    mostWaiting: () => mostWaiting,
    zone,
    close: () => socket.close(),
  };
  socket.on('message', (query, { address, port }) => {
    const { name, end } = questionOf(query);
    if (!server.requested.includes(name)) server.requested.push(name);
    const addresses = server.zone(name);
    if (addresses !== null) {
      waitingSinceMs.delete(name);
      socket.send(answerTo(query, end, addresses), port, address);
      return;
    }
    const nowMs = performance.now();
    waitingSinceMs.set(name, nowMs);
    const waiting = [...waitingSinceMs.values()].filter((sinceMs) => sinceMs > nowMs - WAITING_MS);
    mostWaiting = Math.max(mostWaiting, waiting.length);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}

function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

function answerTo(query: Buffer, questionEnd: number, addresses: readonly string[]): Buffer {
  const isWanted = (address: string) => isIPv6(address) === (query.readUInt16BE(questionEnd - 4) === AAAA);
  const answers = addresses.filter(isWanted).map(recordOf);
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(query.readUInt16BE(0), 0);
  head.writeUInt16BE(0x8180 | (addresses.length === 0 ? NO_SUCH_NAME : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(answers.length, 6);
  return Buffer.concat([head, query.subarray(HEADER_BYTES, questionEnd), ...answers]);
}

/** The name is a reference to that of the question. */
function recordOf(address: string): Buffer {
  const bytes = isIPv6(address) ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.from([0xc0, 0x0c, 0, isIPv6(address) ? AAAA : 1, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
  return Buffer.concat([head, bytes]);
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', rest = ''] = address.split('::');
  const [left, right] = [head, rest].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ];
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
