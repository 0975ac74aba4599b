import type { Faults } from '../sim/faults.ts';
import { unit } from '../sim/noise.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/base/times.ts';

/**
 * A tick moves the clock: every poll and task that is due runs once. After a step of so many ticks the invariants are
 * checked. Shorter ticks cost as much more CPU as there are more of them.
 */
export const TICK_MS = 2 * MINUTE_MS;
export const TICKS_PER_STEP = 5;
export const STEPS_PER_HOUR = HOUR_MS / (TICKS_PER_STEP * TICK_MS);
/** The last part of a run has no faults, so that everything must have recovered at its end. */
export const QUIET_END_HOURS = 3;

export interface VenueFault {
  kind: 'venue';
  slug: string;
  name: string;
  faults: Partial<Faults>;
  /** The fault lasts this many steps. */
  steps: number;
}

export type ProcessFault =
  /** SIGKILL this many real milliseconds into a tick; started again after some ticks. */
  | { kind: 'kill'; member: number; delayMs: number; downTicks: number }
  /** SIGSTOP for some ticks. */
  | { kind: 'pause'; member: number; ticks: number };

export type MachineFault =
  /** The clock of every process is set by this much, and back after some steps. */
  | { kind: 'clock'; byMs: number; steps: number }
  | { kind: 'full disk'; steps: number }
  /** Each statement waits this many real milliseconds (PostgreSQL), or a lock is held for them in each tick (SQLite). */
  | { kind: 'slow database'; delayMs: number; steps: number }
  /** FLUSHALL. */
  | { kind: 'Redis emptied' };

export type Fault = VenueFault | ProcessFault | MachineFault;

export interface PlannedStep {
  number: number;
  /** With the tick of the step at which each one begins. */
  faults: readonly { tick: number; fault: Fault }[];
  /** What an operator does to the keys at the start of the step. */
  keyChange: 'create' | 'revoke' | null;
  /** A caller exceeds the limit of its plan at this tick; null: in no tick of the step. */
  burstTick: number | null;
}

export interface Plan {
  seed: number;
  hours: number;
  hasRoles: boolean;
  startMs: number;
  venues: readonly string[];
  coins: number;
  steps: readonly PlannedStep[];
}

/** Venues whose rates and lists come from polls; their sockets run in real time, which passes too slowly here. */
const VENUE_POOL = ['binance', 'bybit', 'okx', 'gate', 'kucoin', 'bitget', 'hyperliquid', 'mexc'];
/** One call returns the whole history of a contract, which takes the simulator most of its time: in few plans. */
const COSTLY_VENUES = ['kraken', 'htx'];
const COSTLY_CHANCE = 0.1;
const VENUE_COUNT = 5;
const COINS = 12;
/** Ahead of any real clock: Redis deletes at once what expires in its past. */
const FIRST_START_MS = Date.UTC(2036, 0, 7);
const START_RANGE_DAYS = 200;
/** The service collects first; a fault during the first start is planned like any other after it. */
const QUIET_START_STEPS = 2;

const VENUE_FAULTS: readonly { name: string; faults: Partial<Faults> }[] = [
  { name: '429', faults: { rateLimitRetryAfterSeconds: 30 } },
  { name: 'HTTP 500', faults: { errorStatus: 500 } },
  { name: 'HTTP 503', faults: { errorStatus: 503 } },
  { name: 'address refused', faults: { errorStatus: 403 } },
  { name: 'half of the calls fail', faults: { errorStatus: 502, share: 0.5 } },
  { name: 'a third is cut', faults: { truncated: true, share: 0.3 } },
  { name: 'web page', faults: { html: true } },
  { name: 'cut body', faults: { truncated: true } },
  { name: 'empty lists', faults: { empty: true } },
  { name: 'frozen', faults: { frozen: true } },
  { name: 'cached', faults: { cachedSeconds: 3600 } },
  { name: 'zero quotes', faults: { zeroQuotes: true } },
  { name: 'crossed quotes', faults: { crossedQuotes: true } },
  { name: 'clock ten minutes fast', faults: { clockSkewMs: 10 * MINUTE_MS } },
  { name: 'clock ten minutes slow', faults: { clockSkewMs: -10 * MINUTE_MS } },
  { name: 'sockets dropped', faults: { droppedSockets: true } },
  { name: 'rates in percent', faults: { ratesInPercent: true } },
  { name: 'rates of the last settlement', faults: { ratesLastSettled: true } },
  { name: 'wrong intervals', faults: { intervalOff: true } },
];

/** The probability per step. */
const CHANCES = {
  venue: 0.12,
  kill: 0.03,
  pause: 0.025,
  clock: 0.012,
  disk: 0.012,
  database: 0.02,
  redis: 0.03,
  keyChange: 0.25,
  burst: 0.3,
} as const;

type Draw = (what: string) => number;

/** The faults of a run: a function of its arguments alone, so that a failure replays. */
export function planOf({ seed, hours, hasRoles }: Pick<Plan, 'seed' | 'hours' | 'hasRoles'>): Plan {
  const draw: Draw = (what) => unit(`chaos ${what}`, seed);
  const costly = COSTLY_VENUES.filter((slug) => draw(`costly ${slug}`) < COSTLY_CHANCE);
  const pool = VENUE_POOL.map((slug) => ({ slug, order: draw(`venue ${slug}`) }))
    .sort((a, b) => a.order - b.order)
    .map(({ slug }) => slug);
  const venues = [...costly, ...pool].slice(0, VENUE_COUNT);
  const startMs =
    FIRST_START_MS +
    whole(draw('day'), 0, START_RANGE_DAYS - 1) * DAY_MS +
    whole(draw('minute'), 0, DAY_MS / MINUTE_MS - 1) * MINUTE_MS;
  const count = Math.ceil(hours * STEPS_PER_HOUR);
  const lastFaulty = count - Math.min(QUIET_END_HOURS * STEPS_PER_HOUR, Math.ceil(count / 2));
  const freeFrom = new Map<string, number>();
  const steps: PlannedStep[] = [];
  for (let number = 0; number < count; number++) {
    const of: Draw = (what) => draw(`${what} of step ${number}`);
    const leftSteps = lastFaulty - number;
    const isQuiet = number < QUIET_START_STEPS || leftSteps <= 0;
    const drawn = isQuiet ? [] : drawFaults(of, venues, hasRoles, leftSteps);
    steps.push({
      number,
      faults: drawn.filter(({ fault }) => isFree(fault, number, freeFrom)).sort((a, b) => a.tick - b.tick),
      keyChange: of('key') < CHANCES.keyChange ? (of('key kind') < 0.6 ? 'create' : 'revoke') : null,
      burstTick: of('burst') < CHANCES.burst ? whole(of('burst tick'), 0, TICKS_PER_STEP - 1) : null,
    });
  }
  return { seed, hours, hasRoles, startMs, venues, coins: COINS, steps };
}

function drawFaults(of: Draw, venues: readonly string[], hasRoles: boolean, leftSteps: number) {
  const faults: { tick: number; fault: Fault }[] = [];
  const add = (chance: number, name: string, make: () => Fault) => {
    if (of(name) < chance)
      faults.push({ tick: whole(of(`${name} tick`), 0, TICKS_PER_STEP - 1), fault: make() });
  };
  const lasting = (name: string, most: number) =>
    Math.min(leftSteps, whole(of(`${name} lasts`) ** 2, 1, most));
  const member = (name: string) => whole(of(`${name} member`), 0, 99);
  add(CHANCES.venue, 'venue', () => {
    const slug = venues[whole(of('victim'), 0, venues.length - 1)] ?? '';
    const fault = VENUE_FAULTS[whole(of('venue fault'), 0, VENUE_FAULTS.length - 1)];
    return { kind: 'venue', slug, name: '', faults: {}, ...fault, steps: lasting('venue', 24) };
  });
  add(CHANCES.kill, 'kill', () => ({
    kind: 'kill',
    member: member('kill'),
    delayMs: whole(of('kill delay'), 0, 60),
    downTicks: whole(of('kill down') ** 3, 0, 10),
  }));
  add(CHANCES.pause, 'pause', () => ({
    kind: 'pause',
    member: member('pause'),
    ticks: whole(of('pause ticks') ** 2, 1, 10),
  }));
  add(CHANCES.clock, 'clock', () => ({
    kind: 'clock',
    byMs: of('clock direction') < 0.5 ? HOUR_MS : -HOUR_MS,
    steps: lasting('clock', 12),
  }));
  if (!hasRoles) add(CHANCES.disk, 'disk', () => ({ kind: 'full disk', steps: lasting('disk', 4) }));
  add(CHANCES.database, 'database', () => ({
    kind: 'slow database',
    delayMs: whole(of('database delay'), 5, 60),
    steps: lasting('database', 3),
  }));
  if (hasRoles) add(CHANCES.redis, 'redis', () => ({ kind: 'Redis emptied' }));
  return faults;
}

/** Two faults of one venue, of the clock, the disk or the database at once would end each other. */
function isFree(fault: Fault, step: number, freeFrom: Map<string, number>): boolean {
  if (!('steps' in fault)) return true;
  const subject = fault.kind === 'venue' ? fault.slug : fault.kind;
  if (step < (freeFrom.get(subject) ?? 0)) return false;
  freeFrom.set(subject, step + fault.steps + 1);
  return true;
}

function whole(share: number, least: number, most: number): number {
  return least + Math.floor(share * (most - least + 1));
}

/** The name under which the summary counts a fault. */
export function faultName(fault: Fault): string {
  if (fault.kind === 'venue') return `venue: ${fault.name}`;
  if (fault.kind === 'clock') return fault.byMs > 0 ? 'clock an hour forward' : 'clock an hour back';
  return fault.kind;
}
