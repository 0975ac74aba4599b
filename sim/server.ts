import type { IncomingMessage, ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Clock, systemClock } from '../src/base/clock.ts';
import { createServer } from '../src/base/http/node-http.ts';
import { DAY_MS, SECOND_MS } from '../src/base/times.ts';
import { Universe } from './contracts.ts';
import { type Faults, NO_FAULTS, parseFaults } from './faults.ts';
import { bodyText, parsed, refuse, send } from './http.ts';
import { NAMESAKES } from './namesakes.ts';
import { unit } from './noise.ts';
import { readPastQuestion, sendPast } from './past.ts';
import { pastPrices } from './prices.ts';
import {
  isSameQuestion,
  type PreparedPrints,
  preparePrints,
  readPrintsQuestion,
  sendPrepared,
  sendPrints,
} from './prints.ts';
import { readAll } from './sockets.ts';
import { SimTime } from './time.ts';
import type { SimSocket, SimVenue } from './venue.ts';
import { SIM_VENUES } from './venues/registry.ts';
import { type SimView, viewAt } from './view.ts';

interface SimOptions {
  seed: number;
  coins: number;
  /** Also list what shares its ticker with something else, and one thing under several names. */
  hasNamesakes?: boolean;
  /** Slugs; all venues when empty. */
  venues: readonly string[];
  port: number;
  clock?: Clock;
  /** Prints of the last days are requested once, and prepared meanwhile; none if not given. */
  printsDays?: number;
  /** How often sockets push, in real milliseconds. */
  pushEveryMs?: number;
}

export interface SimServer {
  url: string;
  universe: Universe;
  time: SimTime;
  setFaults(slug: string, faults: Partial<Faults>): void;
  /** The venue's present view of the market. */
  view(slug: string): SimView;
  /** The number of requests per venue. */
  requests: Map<string, number>;
  /** Sends what the sockets have to send now, for a caller that moves the clock itself. */
  push(): void;
  /** Of all open sockets: what was sent to them and does not fit into the buffers of the system. */
  unreadBytes(): number;
  /** Resolves when every open socket has read what was pushed to it, or has closed. */
  delivered(): Promise<void>;
  close(): Promise<void>;
}

interface Simulated {
  venue: SimVenue;
  faults: Faults;
  frozenAtMs: number | null;
  rowFrozenAtMs: number | null;
  /** Of the last request: while a moved clock stands still, many requests see the same view. */
  view: SimView | null;
  viewAtMs: number;
}

interface OpenSocket {
  slug: string;
  socket: WebSocket;
  session: SimSocket;
  /** It has sent a message since the last push. */
  hasSent: boolean;
  /** Of the last push: the simulator's time, and the real one. */
  pushedAtMs: number;
  pushedAtRealMs: number;
}

const DROP_AFTER_MS = 50;
/** A client takes a socket that is silent for longer (30 s at the least) for dead. */
const LONGEST_SILENCE_MS = 10 * SECOND_MS;

export async function startSimServer(options: SimOptions): Promise<SimServer> {
  const universe = new Universe(options.seed, options.coins, options.hasNamesakes ? NAMESAKES : []);
  const time = new SimTime(options.clock ?? systemClock);
  const chosen = SIM_VENUES.filter(
    (v) => options.venues.length === 0 || options.venues.includes(v.profile.slug),
  );
  const simulated = new Map<string, Simulated>(
    chosen.map((venue) => [
      venue.profile.slug,
      { venue, faults: { ...NO_FAULTS }, frozenAtMs: null, rowFrozenAtMs: null, view: null, viewAtMs: 0 },
    ]),
  );
  const requests = new Map<string, number>();
  const sockets = new Set<OpenSocket>();

  const copiedBy = ({ copiesRatesOf }: Faults) =>
    SIM_VENUES.find(({ profile }) => profile.slug === copiesRatesOf)?.profile ?? null;

  const viewOf = (sim: Simulated, ageMs = 0): SimView => {
    const atMs = (sim.frozenAtMs ?? time.nowMs()) - ageMs;
    if (sim.view && sim.viewAtMs === atMs) return sim.view;
    sim.viewAtMs = atMs;
    sim.view = viewAt(universe, sim.venue.profile, atMs, sim.faults, sim.rowFrozenAtMs, copiedBy(sim.faults));
    return sim.view;
  };

  const viewOfSlug = (slug: string) => viewOf(simulated.get(slug) as Simulated);
  const { printsDays } = options;
  const startedAtMs = time.nowMs();
  let prepared: PreparedPrints | null = printsDays
    ? preparePrints({ fromMs: startedAtMs - printsDays * DAY_MS, toMs: startedAtMs }, chosen, viewOfSlug)
    : null;

  const setFaults = (slug: string, faults: Partial<Faults>) => {
    const sim = simulated.get(slug);
    if (!sim) throw new Error(`no simulated venue "${slug}"; there are ${[...simulated.keys()].join(', ')}`);
    sim.faults = parseFaults(faults);
    if (sim.faults.copiesRatesOf !== '' && !copiedBy(sim.faults))
      throw new Error(`no simulated venue "${sim.faults.copiesRatesOf}" to copy`);
    sim.view = null;
    sim.frozenAtMs = sim.faults.frozen ? (sim.frozenAtMs ?? time.nowMs()) : null;
    sim.rowFrozenAtMs = sim.faults.frozenRow === '' ? null : (sim.rowFrozenAtMs ?? time.nowMs());
    if (sim.faults.droppedSockets)
      for (const open of sockets) if (open.slug === slug) open.socket.terminate();
  };

  async function answerVenue(
    sim: Simulated,
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    host: string,
    path: string,
  ) {
    const { faults } = sim;
    if (faults.latencyMs > 0) await systemClock.sleep(faults.latencyMs);
    const text = await bodyText(request);
    const isHit =
      unit('hit by a fault', options.seed, requests.get(sim.venue.profile.slug) ?? 0) < faults.share;
    if (isHit && faults.rateLimitRetryAfterSeconds > 0) {
      return send(response, 429, '{"msg":"too many requests"}', {
        'retry-after': String(faults.rateLimitRetryAfterSeconds),
      });
    }
    if (isHit && faults.errorStatus > 0) return send(response, faults.errorStatus, '{"msg":"venue error"}');
    if (isHit && faults.html)
      return send(response, 200, '<!doctype html><title>Maintenance</title>', {
        'content-type': 'text/html',
      });
    const refusal = sim.venue.refuses?.(host, request.headers);
    if (refusal) return send(response, 403, JSON.stringify(refusal));
    const payload = sim.venue.http(
      { host, method: request.method ?? 'GET', path, query: url.searchParams, body: parsed(text) },
      viewOf(sim, faults.cachedSeconds * SECOND_MS),
    );
    if (payload === undefined)
      return send(response, 404, JSON.stringify({ msg: `the simulator has no ${host} ${path}` }));
    const body = JSON.stringify(payload);
    if (isHit && faults.truncated) {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
      return;
    }
    send(response, 200, body, faults.cachedSeconds > 0 ? { age: String(faults.cachedSeconds) } : {});
  }

  async function control(request: IncomingMessage, response: ServerResponse, url: URL, parts: string[]) {
    if (parts[1] === 'past') {
      const question = readPastQuestion(url.searchParams);
      return await sendPast(response, question, universe, options.seed, chosen);
    }
    if (parts[1] === 'prints') {
      const question = readPrintsQuestion(url.searchParams);
      const ready = prepared && isSameQuestion(prepared.question, question) ? prepared : null;
      prepared = null;
      return ready
        ? await sendPrepared(response, ready)
        : await sendPrints(response, question, chosen, viewOfSlug);
    }
    if (parts[1] === 'prices' && request.method === 'POST') {
      const question = parsed(await bodyText(request));
      return send(response, 200, JSON.stringify(pastPrices(question, universe, chosen)));
    }
    if (parts[1] === 'faults' && request.method === 'POST' && parts[2]) {
      setFaults(parts[2], parsed(await bodyText(request)) as Partial<Faults>);
      return send(response, 200, JSON.stringify(simulated.get(parts[2])?.faults));
    }
    if (parts[1] === 'time' && request.method === 'POST') {
      const wanted = parsed(await bodyText(request));
      const atMs =
        typeof wanted === 'object' && wanted !== null && 'atMs' in wanted ? wanted.atMs : undefined;
      if (typeof atMs === 'number') time.holdAt(atMs);
      else time.runLive();
      push();
      return send(response, 200, JSON.stringify({ nowMs: time.nowMs() }));
    }
    const state = [...simulated].map(([slug, sim]) => [
      slug,
      { requests: requests.get(slug) ?? 0, faults: sim.faults },
    ]);
    send(response, 200, JSON.stringify({ nowMs: time.nowMs(), venues: Object.fromEntries(state) }));
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://sim');
    const parts = url.pathname.split('/').filter(Boolean);
    const slug = parts[0] ?? '';
    const sim = simulated.get(slug);
    if (!sim) return await control(request, response, url, parts);
    requests.set(slug, (requests.get(slug) ?? 0) + 1);
    await answerVenue(sim, request, response, url, parts[1] ?? '', `/${parts.slice(2).join('/')}`);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => refuse(response, error));
  });

  const webSockets = new WebSocketServer({ server });
  // It repeats the errors of the server, which are reported below.
  webSockets.on('error', () => undefined);
  webSockets.on('connection', (socket, request) => {
    socket.on('error', () => socket.terminate());
    const { pathname } = URL.parse(request.url ?? '/', 'http://sim') ?? { pathname: '' };
    const [slug = '', host = '', ...rest] = pathname.split('/').filter(Boolean);
    const sim = simulated.get(slug);
    const session = sim?.venue.socket?.({ host, path: `/${rest.join('/')}` });
    if (!sim || !session) return socket.close(1008, 'no such stream');
    if (sim.faults.droppedSockets) setTimeout(() => socket.terminate(), DROP_AFTER_MS);
    const open: OpenSocket = { slug, socket, session, hasSent: false, pushedAtMs: 0, pushedAtRealMs: 0 };
    sockets.add(open);
    socket.on('close', () => sockets.delete(open));
    socket.on('message', (data) => {
      open.hasSent = true;
      try {
        for (const reply of session.receive(parsed(String(data)), viewOf(sim))) socket.send(reply);
      } catch {
        socket.close(1008, 'this message cannot be read');
      }
    });
  });
  const push = (wanted: (open: OpenSocket) => boolean = () => true) => {
    const views = new Map<string, SimView>();
    for (const open of sockets) {
      const { slug, socket, session } = open;
      const sim = simulated.get(slug);
      if (!sim || !wanted(open)) continue;
      open.hasSent = false;
      open.pushedAtMs = time.nowMs();
      open.pushedAtRealMs = systemClock.monotonicMs();
      const view = views.get(slug) ?? viewOf(sim);
      views.set(slug, view);
      for (const message of session.tick(view)) socket.send(message);
    }
  };
  // While the time stands still nothing changes: only who has just subscribed needs the present state. Who has not read the
  // last push yet gets the newest state later; the states between would fill the memory.
  const isPushDue = ({ socket, hasSent, pushedAtMs, pushedAtRealMs }: OpenSocket) =>
    socket.bufferedAmount === 0 &&
    (hasSent ||
      (!time.isHeld &&
        (pushedAtMs !== time.nowMs() || systemClock.monotonicMs() - pushedAtRealMs >= LONGEST_SILENCE_MS)));
  const pushing = setInterval(() => push(isPushDue), options.pushEveryMs ?? 1000);

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}`,
    universe,
    time,
    setFaults,
    requests,
    push,
    unreadBytes: () => [...sockets].reduce((sum, { socket }) => sum + socket.bufferedAmount, 0),
    delivered: async () => {
      await Promise.all([...sockets].map(({ socket }) => readAll(socket)));
    },
    view: (slug) => {
      const sim = simulated.get(slug);
      if (!sim) throw new Error(`no simulated venue "${slug}"`);
      return viewOf(sim);
    },
    close: async () => {
      clearInterval(pushing);
      for (const { socket } of sockets) socket.terminate();
      webSockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
