import { gunzipSync } from 'node:zlib';
import { type RawData, WebSocket } from 'ws';
import type { Clock } from '../../base/clock.ts';
import { isTooLarge, TooLarge } from '../../base/http/bounded-body.ts';
import { USER_AGENT } from '../../base/http/http-client.ts';
import { unquoteShortDecimals } from '../../base/http/short-decimals.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { failureText, type SourceHealth } from '../health.ts';
import { HeldTops } from '../held-tops.ts';
import { type Batch, type Contract, hasRows } from '../observations.ts';
import type { Stream, Venue } from '../venue.ts';
import { isAddressRefusal, REFUSED_RETRY_MS, refusalText } from './address-refusals.ts';
import { hostAddress } from './caller.ts';
import { Circuit } from './circuit.ts';

interface StreamRunnerOptions {
  venue: Venue;
  stream: Stream;
  /** For receive times. */
  clock: Clock;
  /** For heartbeats and timeouts, which need real time even while a simulator's past is collected. */
  timers: Clock;
  log: Log;
  metrics: Metrics;
  simUrl: string | null;
  contracts: ReadonlyMap<string, Contract>;
  accept: (batch: Batch, receivedAtMs: number) => void;
  health: SourceHealth;
}

/** As it is sent, and as it unpacks. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const FIRST_RETRY_MS = 1000;
const SPARE_SOCKETS = 2;

/** Keeps the sockets of one stream open, with as many contracts on each as the venue allows. */
export class StreamRunner {
  readonly #options: StreamRunnerOptions;
  #connections: Connection[] = [];

  constructor(options: StreamRunnerOptions) {
    this.#options = options;
  }

  /** Opens missing connections. A new listing gets its own socket, so that the others are not interrupted. */
  update(): void {
    const { stream, contracts } = this.#options;
    const wanted = new Map<string, Contract>();
    for (const contract of contracts.values())
      if (stream.applies(contract)) wanted.set(contract.venueSymbol, contract);
    const kept: Connection[] = [];
    for (const connection of this.#connections) {
      // A socket may keep delisted contracts at no cost; it is closed when no listed one is left.
      const stays = connection.symbols.filter((symbol) => wanted.delete(symbol));
      if (stays.length > 0) kept.push(connection);
      else connection.stop();
    }
    const added = [...wanted.values()];
    for (let i = 0; i < added.length; i += stream.contractsPerSocket) {
      kept.push(new Connection(added.slice(i, i + stream.contractsPerSocket), this.#options));
    }
    this.#connections = mergedIfMany(kept, this.#options);
  }

  stop(): void {
    for (const connection of this.#connections) connection.stop();
    this.#connections = [];
  }
}

/** New listings make small connections. If there are too many, all are replaced by full ones. */
function mergedIfMany(connections: Connection[], options: StreamRunnerOptions): Connection[] {
  const { stream, contracts } = options;
  const current = [...contracts.values()].filter((contract) => stream.applies(contract));
  const needed = Math.ceil(current.length / stream.contractsPerSocket);
  if (connections.length <= needed + SPARE_SOCKETS) return connections;
  for (const connection of connections) connection.stop();
  return Array.from(
    { length: needed },
    (_, i) =>
      new Connection(
        current.slice(i * stream.contractsPerSocket, (i + 1) * stream.contractsPerSocket),
        options,
      ),
  );
}

class Connection {
  /** What the present socket was asked for. */
  symbols: readonly string[];
  readonly #options: StreamRunnerOptions;
  readonly #circuit = new Circuit();
  readonly #stopping = new AbortController();
  #socket: WebSocket | null = null;

  constructor(contracts: readonly Contract[], options: StreamRunnerOptions) {
    this.symbols = contracts.map((contract) => contract.venueSymbol);
    this.#options = options;
    void this.#run();
  }

  stop(): void {
    this.#stopping.abort();
    this.#socket?.terminate();
  }

  async #run(): Promise<void> {
    const { venue, stream, log, metrics, timers, health } = this.#options;
    const labels = { venue: venue.slug, stream: stream.name };
    while (!this.#stopping.signal.aborted) {
      const closed = await this.#runConnection();
      if (this.#stopping.signal.aborted) return;
      const status = Number(/^Unexpected server response: (\d{3})$/.exec(closed)?.[1]);
      const isRefused = isAddressRefusal(status, closed, venue);
      const failure = isRefused ? refusalText(`HTTP ${status}`) : closed;
      metrics.venueSocketReconnects.inc(labels);
      health.failuresInARow = this.#circuit.failuresInARow + 1;
      health.lastFailure = failure;
      const backoffMs = this.#circuit.failed(FIRST_RETRY_MS, Math.random);
      const delayMs = isRefused ? REFUSED_RETRY_MS : backoffMs;
      log.warn(
        { venue: venue.slug, stream: stream.name, failure, retryInMs: Math.round(delayMs) },
        'stream lost',
      );
      await timers.sleep(delayMs, this.#stopping.signal);
    }
  }

  /**
   * The contracts to ask for, as the last list has them. Some venues close a socket that asks for one that has left it, so every
   * reconnect would fail. One that comes back is no longer among the symbols, so `update` gives it a socket.
   */
  #subscribed(): Contract[] {
    const { stream, contracts } = this.#options;
    const wanted = this.symbols.flatMap((symbol) => {
      const contract = contracts.get(symbol);
      return contract && stream.applies(contract) ? [contract] : [];
    });
    this.symbols = wanted.map(({ venueSymbol }) => venueSymbol);
    return wanted;
  }

  /** Runs one connection until it closes; resolves with the reason. */
  #runConnection(): Promise<string> {
    const { venue, stream, clock, timers, metrics, accept, contracts, health, simUrl } = this.#options;
    const labels = { venue: venue.slug, stream: stream.name };
    const session = stream.open(this.#subscribed());
    const held = stream.sendsOnlyChanges ? new HeldTops() : null;
    const socket = new WebSocket(`${hostAddress(venue, stream.host, simUrl)}${stream.path}`, {
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: 10_000,
      headers: { 'user-agent': USER_AGENT },
    });
    this.#socket = socket;
    let failure = 'closed by the venue';
    let lastMessageMs = timers.monotonicMs();
    let isEnded = false;
    const end = (why: string) => {
      failure = why;
      isEnded = true;
      socket.terminate();
    };
    const hasDecimalTexts = stream.sendsDecimalTexts ?? false;
    const handle = (data: RawData, isBinary: boolean) => {
      if (isEnded || this.#stopping.signal.aborted) return;
      const receivedAtMs = clock.nowMs();
      try {
        const context = { receivedAtMs, contracts };
        const { batch, replies } = session.receive(parsed(textOf(data, isBinary, hasDecimalTexts)), context);
        for (const reply of replies ?? []) socket.send(reply);
        held?.follow(batch, context);
        batch.isStreamed = true;
        accept(batch, receivedAtMs);
        this.#circuit.succeeded();
        health.failuresInARow = 0;
        // A confirmation of the subscription is no data yet.
        if (health.lastGoodAtMs !== null || hasRows(batch)) health.lastGoodAtMs = receivedAtMs;
      } catch (error) {
        end(failureText(error));
      }
    };
    socket.on('open', () => {
      metrics.venueSocketOpen.inc(labels);
      socket.on('close', () => metrics.venueSocketOpen.dec(labels));
      for (const message of session.opening) socket.send(message);
    });
    socket.on('message', (data, isBinary) => {
      lastMessageMs = timers.monotonicMs();
      handle(data, isBinary);
    });
    socket.on('error', (error) => end(failureText(error)));
    const watch = setInterval(() => {
      if (timers.monotonicMs() - lastMessageMs > stream.silenceSeconds * 1000)
        end(`silent for ${stream.silenceSeconds} s`);
    }, 1000);
    const beat = stream.heartbeat;
    const heart = beat
      ? setInterval(
          () => socket.readyState === WebSocket.OPEN && socket.send(beat.message(clock.nowMs())),
          beat.everySeconds * 1000,
        )
      : null;
    return new Promise((resolve) => {
      socket.on('close', () => {
        clearInterval(watch);
        if (heart) clearInterval(heart);
        resolve(failure);
      });
    });
  }
}

/** Some venues send every message as gzip in a binary frame. */
function textOf(data: RawData, isBinary: boolean, hasDecimalTexts: boolean): string {
  if (!Buffer.isBuffer(data)) return String(data);
  const bytes = isBinary && data[0] === 0x1f && data[1] === 0x8b ? unpackedMessage(data) : data;
  if (hasDecimalTexts) unquoteShortDecimals(bytes);
  return bytes.toString('utf8');
}

function unpackedMessage(data: Buffer): Buffer {
  try {
    return gunzipSync(data, { maxOutputLength: MAX_MESSAGE_BYTES });
  } catch (error) {
    throw isTooLarge(error) ? new TooLarge(MAX_MESSAGE_BYTES) : error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
