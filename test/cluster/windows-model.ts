import type { PeerMode } from '../../src/accounts/windows/redis/members/peers.ts';
import { lacksCountsOf } from '../../src/accounts/windows/redis/members/peers.ts';

/**
 * A model of the protocol of docs/windows.md for two processes, one slot, a Redis and a database. It visits every order of
 * requests, protocol steps, deaths, restarts and time, with at most `faults` failures, and checks that no minute has more
 * requests than the limit. Time runs in ticks of 20 s. `lacksCountsOf` is the rule that the service uses.
 */
const LIMIT = 2;
const MINUTE_TICKS = 3;
/** ROW_TTL_MS, rounded up. */
const ROW_TICKS = 4;
const PROCESSES = [0, 1] as const;

interface Process {
  /** A restarted process has a new name. */
  name: string;
  isUp: boolean;
  mode: 'shared' | 'local' | 'switching';
  epoch: number;
  members: string[];
  /** When each process was last seen as a member. */
  seen: Record<string, number>;
  /** Ticks of the requests it has counted. */
  own: number[];
  lostAt: number;
  share: number;
}

interface Row {
  mode: PeerMode;
  epoch: number;
  members: string[];
  writtenAt: number;
  report: number[];
}

interface State {
  tick: number;
  faults: number;
  redis: { isUp: boolean; epoch: number; members: string[]; counted: [name: string, tick: number][] };
  nextEpoch: number;
  processes: Process[];
  rows: Record<string, Row>;
  /** Requests passed by tick: the truth. */
  passed: number[];
}

type Rule = (row: Row, epoch: number, isAlive: boolean) => boolean;
export const RULE: Rule = ({ mode, epoch }, current) =>
  lacksCountsOf({ mode, membership: `${epoch}/` }, String(current));
/** What the service did before: it forgot processes that died. */
export const FORGETS_THE_DEAD: Rule = (row, epoch, isAlive) => isAlive && RULE(row, epoch, isAlive);

const isRecent = (tick: number, now: number) => tick > now - MINUTE_TICKS;
const newProcess = (name: string): Process => ({
  name,
  isUp: true,
  mode: 'switching',
  epoch: 0,
  members: [],
  seen: {},
  own: [],
  lostAt: 0,
  share: 0,
});

function write(state: State, process: Process, mode: PeerMode, report: number[] = []): void {
  const { epoch, members } = process;
  state.rows[process.name] = { mode, epoch, members, writtenAt: state.tick, report };
}

/** All requests that the process may pass now. */
function burst(state: State, process: Process): void {
  const { redis, tick } = state;
  let free = 0;
  if (process.mode === 'shared' && redis.isUp && redis.epoch === process.epoch)
    free = LIMIT - redis.counted.filter(([, at]) => isRecent(at, tick)).length;
  else if (process.mode === 'local') free = process.share;
  for (let i = 0; i < free; i++) {
    if (process.mode === 'shared') redis.counted.push([process.name, tick]);
    else process.share--;
    process.own.push(tick);
    state.passed[tick] = (state.passed[tick] ?? 0) + 1;
  }
}

function noteMembers({ redis, tick }: State, process: Process): void {
  process.members = [...redis.members];
  for (const name of redis.members) process.seen[name] = tick;
}

/** One round of the mode switch. */
function step(state: State, process: Process, rule: Rule): void {
  const { redis, tick, rows } = state;
  const others = Object.entries(rows).filter(
    ([name, row]) => name !== process.name && row.writtenAt > tick - ROW_TICKS,
  );
  const isAlive = (name: string) => state.processes.some((one) => one.isUp && one.name === name);
  if (!redis.isUp) {
    if (process.epoch === 0 || process.mode === 'local') return;
    if (process.mode === 'shared') {
      process.mode = 'switching';
      process.lostAt = tick;
    }
    const report = process.own.filter((at) => isRecent(at, tick));
    write(state, process, 'local', report);
    const hasLostMember = Object.entries(process.seen).some(
      ([name, at]) => at > tick - ROW_TICKS && !process.members.includes(name),
    );
    const isUnknown = others.some(([name]) => !process.members.includes(name));
    if ((hasLostMember || isUnknown) && rule !== FORGETS_THE_DEAD) return;
    const local = others.filter(
      ([, row]) => row.mode === 'local' && row.members.join() === process.members.join(),
    );
    if (others.some((other) => isAlive(other[0]) && !local.includes(other))) return;
    const isExpired = tick - process.lostAt > MINUTE_TICKS;
    if (local.length !== process.members.length - 1 && !isExpired) return;
    const reported = [...report, ...local.flatMap(([, row]) => row.report)];
    const used = reported.filter((at) => isRecent(at, tick)).length;
    process.share = Math.max(0, Math.floor((LIMIT - used) / Math.max(1, process.members.length)));
    process.mode = 'local';
    return;
  }
  if (process.mode === 'shared' && redis.epoch === process.epoch) {
    noteMembers(state, process);
    return;
  }
  if (process.mode === 'shared') process.lostAt = tick;
  process.mode = 'switching';
  if (redis.epoch === 0) redis.epoch = state.nextEpoch++;
  if (!redis.members.includes(process.name)) redis.members = [...redis.members, process.name].sort();
  redis.counted = redis.counted.filter(([name]) => name !== process.name);
  redis.counted.push(...process.own.map((at): [string, number] => [process.name, at]));
  process.epoch = redis.epoch;
  noteMembers(state, process);
  process.share = 0;
  write(state, process, 'joining');
  for (const [name] of others) process.seen[name] = tick;
  if (others.some(([name, row]) => rule(row, redis.epoch, isAlive(name)))) return;
  process.mode = 'shared';
  write(state, process, 'shared');
}

/** Live processes send a heartbeat and write their row every two seconds; expired counts are dropped. */
function advance(state: State): void {
  for (const process of state.processes)
    if (process.isUp && process.mode === 'shared' && state.redis.epoch === process.epoch)
      noteMembers(state, process);
  const now = ++state.tick;
  for (const process of state.processes) {
    process.own = process.own.filter((at) => isRecent(at, now));
    for (const [name, at] of Object.entries(process.seen))
      if (at <= now - ROW_TICKS) delete process.seen[name];
    const row = state.rows[process.name];
    if (process.isUp && row) row.writtenAt = now;
  }
  for (const [name, row] of Object.entries(state.rows)) {
    row.report = row.report.filter((at) => isRecent(at, now));
    if (row.writtenAt <= now - ROW_TICKS) delete state.rows[name];
  }
  state.redis.counted = state.redis.counted.filter(([, at]) => isRecent(at, now));
  state.redis.members = state.redis.members.filter((name) =>
    state.processes.some((one) => one.isUp && one.name === name),
  );
}

function* moves(text: string, faults: number, lastTick: number, rule: Rule): Generator<[string, State]> {
  const state = JSON.parse(text) as State;
  const move = (name: string, change: (next: State) => void): [string, State] => {
    const next = JSON.parse(text) as State;
    change(next);
    return [name, next];
  };
  for (const i of PROCESSES) {
    const process = state.processes[i];
    const of = (next: State) => next.processes[i] as Process;
    if (!process?.isUp) {
      yield move(`restart ${i}`, (next) => {
        next.processes[i] = newProcess(`${process?.name}'`);
      });
      continue;
    }
    yield move(`requests at ${i}`, (next) => burst(next, of(next)));
    yield move(`step of ${i}`, (next) => step(next, of(next), rule));
    if (state.faults < faults)
      yield move(`death of ${i}`, (next) => {
        next.faults++;
        next.processes[i] = { ...newProcess(of(next).name), isUp: false };
      });
  }
  if (!state.redis.isUp)
    yield move('start of an empty Redis', (next) => {
      next.redis = { isUp: true, epoch: 0, members: [], counted: [] };
    });
  else if (state.faults < faults)
    yield move('death of Redis', (next) => {
      next.faults++;
      next.redis = { isUp: false, epoch: 0, members: [], counted: [] };
    });
  if (state.tick < lastTick) yield move('20 s', advance);
}

/** The shortest way to a minute with too many requests; null if there is none. */
export function violation(
  { faults, lastTick }: { faults: number; lastTick: number },
  rule: Rule,
): { way: string[] | null; states: number } {
  const start: State = {
    tick: 0,
    faults: 0,
    redis: { isUp: true, epoch: 0, members: [], counted: [] },
    nextEpoch: 1,
    processes: [newProcess('a'), newProcess('b')],
    rows: {},
    passed: Array(lastTick + 1).fill(0),
  };
  for (const i of [0, 1, 0, 1]) step(start, start.processes[i] as Process, rule);
  const seen = new Set([JSON.stringify(start)]);
  let edge: { text: string; way: string[] }[] = [{ text: JSON.stringify(start), way: [] }];
  while (edge.length > 0) {
    const next: typeof edge = [];
    for (const { text, way } of edge)
      for (const [name, found] of moves(text, faults, lastTick, rule)) {
        found.passed = found.passed.map((count, at) => (isRecent(at, found.tick) ? count : 0));
        const key = JSON.stringify(found);
        if (seen.has(key)) continue;
        seen.add(key);
        const { tick, passed } = found;
        let sum = 0;
        for (let at = Math.max(0, tick - MINUTE_TICKS + 1); at <= tick; at++) sum += passed[at] ?? 0;
        if (sum > LIMIT) return { way: [...way, name], states: seen.size };
        next.push({ text: key, way: [...way, name] });
      }
    edge = next;
  }
  return { way: null, states: seen.size };
}
