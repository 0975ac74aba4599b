import type { Faults } from '../sim/faults.ts';
import { unit } from '../sim/noise.ts';
import { SIM_VENUES } from '../sim/venues/registry.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/base/times.ts';

/** Faults are drawn for, and last, slots of this length. */
export const SLOT_MS = 10 * MINUTE_MS;
export const SLOTS_PER_HOUR = HOUR_MS / SLOT_MS;
/**
 * A tick moves the clock: every poll and task that is due runs once. A step is a list of ticks. Its last two are
 * together shorter than the ten minutes after which a row without a reply disappears, because a snapshot may be older
 * than the replies of its tick.
 */
const SHORT_STEP_MS: readonly number[] = [4, 4, 2].map((minutes) => minutes * MINUTE_MS);
/** The end of a step in which nothing begins or ends; before it, the ticks are as long as a poll may wait. */
const QUIET_END_MS: readonly number[] = [7, 2].map((minutes) => minutes * MINUTE_MS);
const QUIET_TICK_MS = 26 * MINUTE_MS;
const QUIET_STEP_SLOTS = 6;
/** Slots with short ticks after a fault of the service has ended. */
const AFTERMATH_SLOTS = 1;
/** The last part of a run has no faults, so that everything must have recovered at its end. */
export const QUIET_END_HOURS = 3;

interface VenueFault {
  kind: 'venue';
  slug: string;
  name: string;
  faults: Partial<Faults>;
  /** How many slots the fault lasts. */
  slots: number;
}

type ProcessFault =
  /** SIGKILL this many real milliseconds into a tick; started again after some ticks. */
  | { kind: 'kill'; member: number; delayMs: number; downTicks: number }
  /** The collector's thread ends this many real milliseconds into a tick. */
  | { kind: 'kill thread'; member: number; delayMs: number }
  /** SIGSTOP for some ticks. */
  | { kind: 'pause'; member: number; ticks: number };

type MachineFault =
  /** The clock of every process is set by this much, and back after some slots. */
  | { kind: 'clock'; byMs: number; slots: number }
  | { kind: 'full disk'; slots: number }
  /** Each statement waits this many real milliseconds (PostgreSQL), or a lock is held for them in each tick (SQLite). */
  | { kind: 'slow database'; delayMs: number; slots: number }
  /** FLUSHALL. */
  | { kind: 'Redis emptied' };

export type Fault = VenueFault | ProcessFault | MachineFault;

/** After each step the invariants are checked. */
export interface PlannedStep {
  number: number;
  /** Its first slot. */
  slot: number;
  slots: number;
  ticksMs: readonly number[];
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

/** Every venue that has not ended. A run has few of them, because its cost grows with their number. */
const VENUE_POOL = SIM_VENUES.map(({ profile }) => profile)
  .filter(({ endedAtMs }) => endedAtMs === undefined)
  .map(({ slug }) => slug);
const VENUE_COUNT = 2;
const COINS = 6;
/** Ahead of any real clock: Redis deletes at once what expires in its past. */
const FIRST_START_MS = Date.UTC(2036, 0, 7);
const START_RANGE_DAYS = 200;
/** The service collects first; a fault during the first start is planned like any other after it. */
const QUIET_START_SLOTS = 2;

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

/** The probability per slot in runs of up to this many hours; longer ones have longer quiet stretches. */
const DENSE_HOURS = 8;
const CHANCES = {
  venue: 0.12,
  kill: 0.03,
  killThread: 0.03,
  pause: 0.025,
  clock: 0.012,
  disk: 0.012,
  database: 0.02,
  redis: 0.03,
  keyChange: 0.25,
  burst: 0.15,
} as const;

type Draw = (what: string) => number;

/** The faults of a run: a function of its arguments alone, so that a failure replays. */
export function planOf({ seed, hours, hasRoles }: Pick<Plan, 'seed' | 'hours' | 'hasRoles'>): Plan {
  const draw: Draw = (what) => unit(`chaos ${what}`, seed);
  const venues = venuesOf(seed);
  const startMs =
    FIRST_START_MS +
    whole(draw('day'), 0, START_RANGE_DAYS - 1) * DAY_MS +
    whole(draw('minute'), 0, DAY_MS / MINUTE_MS - 1) * MINUTE_MS;
  const slots = Math.ceil(hours * SLOTS_PER_HOUR);
  const faults = plannedFaults(draw, { hours, hasRoles, venues, slots });
  return { seed, hours, hasRoles, startMs, venues, coins: COINS, steps: stepsOf(draw, faults) };
}

/** Successive seeds go through all venues before one comes again, each time in another order. */
function venuesOf(seed: number): string[] {
  const perRound = Math.floor(VENUE_POOL.length / VENUE_COUNT);
  const round = Math.floor(seed / perRound);
  const first = (seed % perRound) * VENUE_COUNT;
  return VENUE_POOL.map((slug) => ({ slug, order: unit(`chaos venue ${slug}`, round) }))
    .sort((a, b) => a.order - b.order)
    .slice(first, first + VENUE_COUNT)
    .map(({ slug }) => slug);
}

type SlotFaults = readonly { tick: number; fault: Fault }[];

/** The faults that begin in each slot. */
function plannedFaults(
  draw: Draw,
  { hours, hasRoles, venues, slots }: Pick<Plan, 'hours' | 'hasRoles' | 'venues'> & { slots: number },
): SlotFaults[] {
  const density = Math.min(1, DENSE_HOURS / hours);
  const lastFaulty = slots - Math.min(QUIET_END_HOURS * SLOTS_PER_HOUR, Math.ceil(slots / 2));
  const freeFrom = new Map<string, number>();
  return Array.from({ length: slots }, (_, slot) => {
    const leftSlots = lastFaulty - slot;
    if (slot < QUIET_START_SLOTS || leftSlots <= 0) return [];
    return drawFaults((what) => draw(`${what} of step ${slot}`), { venues, hasRoles, leftSlots, density })
      .filter(({ fault }) => isFree(fault, slot, freeFrom))
      .sort((a, b) => a.tick - b.tick);
  });
}

/** Cuts the slots into steps: short ticks where something happens to the service, long ones elsewhere. */
function stepsOf(draw: Draw, faults: readonly SlotFaults[]): PlannedStep[] {
  const isBusy = new Set<number>(Array.from({ length: QUIET_START_SLOTS }, (_, slot) => slot));
  for (const [slot, planned] of faults.entries())
    for (const { fault } of planned) for (const busy of busySlots(slot, fault)) isBusy.add(busy);
  const steps: PlannedStep[] = [];
  for (let slot = 0; slot < faults.length; ) {
    let slots = 0;
    while (slots < QUIET_STEP_SLOTS && slot + slots < faults.length && !isBusy.has(slot + slots)) slots++;
    const ticksMs = slots <= 1 ? SHORT_STEP_MS : quietTicksMs(slots);
    slots ||= 1;
    const of: Draw = (what) => draw(`${what} of step ${slot}`);
    steps.push({
      number: steps.length,
      slot,
      slots,
      ticksMs,
      faults: faults[slot] ?? [],
      keyChange: of('key') < CHANCES.keyChange ? (of('key kind') < 0.6 ? 'create' : 'revoke') : null,
      burstTick: of('burst') < CHANCES.burst ? whole(of('burst tick'), 0, ticksMs.length - 1) : null,
    });
    slot += slots;
  }
  return steps;
}

function quietTicksMs(slots: number): number[] {
  const leftMs = slots * SLOT_MS - QUIET_END_MS.reduce((sum, ms) => sum + ms, 0);
  const count = Math.ceil(leftMs / QUIET_TICK_MS);
  return [...Array.from({ length: count }, () => leftMs / count), ...QUIET_END_MS];
}

/** The slots of a fault that need short ticks: of a venue's fault the first, and the one in which it has ended. */
function busySlots(slot: number, fault: Fault): number[] {
  if (fault.kind === 'venue') return [slot, slot + fault.slots];
  const lastsTicks = fault.kind === 'kill' ? fault.downTicks : fault.kind === 'pause' ? fault.ticks : 0;
  const slots = 'slots' in fault ? fault.slots : Math.ceil(lastsTicks / SHORT_STEP_MS.length);
  return Array.from({ length: slots + AFTERMATH_SLOTS + 1 }, (_, i) => slot + i);
}

interface DrawnFrom {
  venues: readonly string[];
  hasRoles: boolean;
  /** Slots until the quiet end. */
  leftSlots: number;
  density: number;
}

function drawFaults(of: Draw, { venues, hasRoles, leftSlots, density }: DrawnFrom) {
  const faults: { tick: number; fault: Fault }[] = [];
  const add = (chance: number, name: string, make: () => Fault) => {
    if (of(name) < chance * density)
      faults.push({ tick: whole(of(`${name} tick`), 0, SHORT_STEP_MS.length - 1), fault: make() });
  };
  const lasting = (name: string, most: number) =>
    Math.min(leftSlots, whole(of(`${name} lasts`) ** 2, 1, most));
  const member = (name: string) => whole(of(`${name} member`), 0, 99);
  add(CHANCES.venue, 'venue', () => {
    const slug = venues[whole(of('victim'), 0, venues.length - 1)] ?? '';
    const fault = VENUE_FAULTS[whole(of('venue fault'), 0, VENUE_FAULTS.length - 1)];
    return { kind: 'venue', slug, name: '', faults: {}, ...fault, slots: lasting('venue', 24) };
  });
  add(CHANCES.kill, 'kill', () => ({
    kind: 'kill',
    member: member('kill'),
    delayMs: whole(of('kill delay'), 0, 60),
    downTicks: whole(of('kill down') ** 3, 0, 6),
  }));
  add(CHANCES.killThread, 'kill thread', () => ({
    kind: 'kill thread',
    member: member('kill thread'),
    delayMs: whole(of('kill thread delay'), 0, 60),
  }));
  add(CHANCES.pause, 'pause', () => ({
    kind: 'pause',
    member: member('pause'),
    ticks: whole(of('pause ticks') ** 2, 1, 6),
  }));
  add(CHANCES.clock, 'clock', () => ({
    kind: 'clock',
    byMs: of('clock direction') < 0.5 ? HOUR_MS : -HOUR_MS,
    slots: lasting('clock', 12),
  }));
  if (!hasRoles) add(CHANCES.disk, 'disk', () => ({ kind: 'full disk', slots: lasting('disk', 4) }));
  add(CHANCES.database, 'database', () => ({
    kind: 'slow database',
    delayMs: whole(of('database delay'), 5, 60),
    slots: lasting('database', 3),
  }));
  if (hasRoles) add(CHANCES.redis, 'redis', () => ({ kind: 'Redis emptied' }));
  return faults;
}

/** Two faults of one venue, of the clock, the disk or the database at once would end each other. */
function isFree(fault: Fault, slot: number, freeFrom: Map<string, number>): boolean {
  if (!('slots' in fault)) return true;
  const subject = fault.kind === 'venue' ? fault.slug : fault.kind;
  if (slot < (freeFrom.get(subject) ?? 0)) return false;
  freeFrom.set(subject, slot + fault.slots + 1);
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
