import * as scripts from './scripts.ts';

/** Both windows of a slot after a script has run. */
export interface WindowsReply {
  outcome: 'allowed' | 'minute-spent' | 'month-spent';
  nowMs: number;
  minuteUsed: number;
  oldestMs: number;
  monthUsed: number;
  monthStartMs: number;
  nextMonthStartMs: number;
}

export type TakeReply =
  | WindowsReply
  | { outcome: 'other-epoch' }
  | { outcome: 'other-layout'; version: number }
  | { outcome: 'revoked' }
  | { outcome: 'outdated'; revision: number }
  | MonthUnknown;

export interface MonthUnknown {
  outcome: 'month-unknown';
  monthStartMs: number;
  generation: number;
}

/** Both windows of a holder after its requests of one call. */
export interface HolderWindows extends WindowsReply {
  /** How many of its requests passed: the first ones. `outcome` is that of the last one. */
  passed: number;
}

export type HolderReply = HolderWindows | Exclude<TakeReply, WindowsReply>;

const WINDOW_OUTCOMES: ReadonlyMap<unknown, WindowsReply['outcome']> = new Map([
  [scripts.ALLOWED, 'allowed'],
  [scripts.MINUTE_SPENT, 'minute-spent'],
  [scripts.MONTH_SPENT, 'month-spent'],
]);

/** The reply of `TAKE`, for each holder; null if it has another shape. */
export function parseTakeReplies(reply: unknown, holderCount: number): HolderReply[] | null {
  if (!isNumbers(reply)) return null;
  const { NUMBERS_OF_ALL, NUMBERS_PER_HOLDER, OTHER_EPOCH, OTHER_LAYOUT } = scripts;
  if (reply.length < NUMBERS_OF_ALL + NUMBERS_PER_HOLDER) {
    // Of all holders alike.
    const all = reply[0] === OTHER_EPOCH || reply[0] === OTHER_LAYOUT ? parseTakeReply(reply) : null;
    return all === null || 'nowMs' in all ? null : Array<HolderReply>(holderCount).fill(all);
  }
  if (reply.length !== NUMBERS_OF_ALL + holderCount * NUMBERS_PER_HOLDER) return null;
  const replies: HolderReply[] = [];
  for (let at = NUMBERS_OF_ALL; at < reply.length; at += NUMBERS_PER_HOLDER) {
    const parsed = parseHolderReply(reply, at);
    if (parsed === null) return null;
    replies.push(parsed);
  }
  return replies;
}

/** The windows of the holder whose numbers begin at `at`. The first numbers are the time and the months of all holders. */
function parseHolderReply(reply: readonly number[], at: number): HolderReply | null {
  const outcome = WINDOW_OUTCOMES.get(reply[at]);
  if (outcome === undefined) {
    const other = parseTakeReply(reply.slice(at, at + 3));
    return other === null || 'nowMs' in other ? null : other;
  }
  const nowMs = reply[0] as number;
  return {
    outcome,
    nowMs,
    passed: reply[at + 1] as number,
    minuteUsed: reply[at + 2] as number,
    oldestMs: nowMs - (reply[at + 3] as number),
    monthUsed: reply[at + 4] as number,
    monthStartMs: (reply[1] as number) + (reply[at + 5] as number),
    nextMonthStartMs: (reply[2] as number) + (reply[at + 6] as number),
  };
}

/** The reply of `TAKE_MONTH`; null if it has another shape. */
export function parseTakeReply(reply: unknown): TakeReply | null {
  if (!isNumbers(reply)) return null;
  const [code, first, second] = reply;
  if (code === scripts.OTHER_EPOCH) return { outcome: 'other-epoch' };
  if (code === scripts.OTHER_LAYOUT)
    return first === undefined ? null : { outcome: 'other-layout', version: first };
  if (code === scripts.REVOKED) return { outcome: 'revoked' };
  if (code === scripts.OUTDATED) return first === undefined ? null : { outcome: 'outdated', revision: first };
  if (code === scripts.MONTH_UNKNOWN) {
    if (first === undefined || second === undefined) return null;
    return { outcome: 'month-unknown', monthStartMs: first, generation: second };
  }
  return parseWindowsReply(reply);
}

/** The reply of `REFUND`, and of `TAKE_MONTH` when it looked at both windows; null if it has another shape. */
export function parseWindowsReply(reply: unknown): WindowsReply | null {
  if (!isNumbers(reply)) return null;
  const [code, nowMs, minuteUsed, oldestMs, monthUsed, monthStartMs, nextMonthStartMs] = reply;
  const outcome = WINDOW_OUTCOMES.get(code);
  if (outcome === undefined || nowMs === undefined || minuteUsed === undefined || oldestMs === undefined)
    return null;
  if (monthUsed === undefined || monthStartMs === undefined || nextMonthStartMs === undefined) return null;
  return { outcome, nowMs, minuteUsed, oldestMs, monthUsed, monthStartMs, nextMonthStartMs };
}

export interface HeartbeatReply {
  epoch: string;
  revision: number;
  nowMs: number;
  processes: string[];
  layoutVersion: number;
}

/** The reply of `HEARTBEAT`: `new-redis` if the Redis has no epoch yet; null if the reply has another shape. */
export function parseHeartbeatReply(reply: unknown): HeartbeatReply | 'new-redis' | null {
  if (!Array.isArray(reply)) return null;
  if (reply.length === 0) return 'new-redis';
  const [epoch, generation, revision, nowMs, processes, layoutVersion]: unknown[] = reply;
  if (typeof epoch !== 'string' || epoch === '') return null;
  if (!isNumber(generation) || !isNumber(revision) || !isNumber(nowMs)) return null;
  if (!isNumber(layoutVersion)) return null;
  if (!Array.isArray(processes) || !processes.every((process) => typeof process === 'string')) return null;
  return { epoch, revision, nowMs, processes, layoutVersion };
}

/** What a slot had counted on the server that it moves from. */
export interface PulledWindows {
  monthStartMs: number;
  monthUsed: number;
  requests: { name: string; atMs: number }[];
}

/** The reply of `PULL`; null if it has another shape. */
export function parsePullReply(reply: unknown): PulledWindows | 'other-epoch' | null {
  if (!Array.isArray(reply)) return null;
  const [code, monthStartMs, monthUsed, members]: unknown[] = reply;
  if (code === scripts.OTHER_EPOCH) return 'other-epoch';
  if (code !== scripts.ALLOWED || !isNumber(monthStartMs) || !isNumber(monthUsed)) return null;
  if (!Array.isArray(members) || members.length % 2 === 1) return null;
  const requests: PulledWindows['requests'] = [];
  for (let place = 0; place < members.length; place += 2) {
    const [name, atMs]: [unknown, number] = [members[place], Number(members[place + 1])];
    if (typeof name !== 'string' || !isNumber(atMs)) return null;
    requests.push({ name, atMs });
  }
  return { monthStartMs, monthUsed, requests };
}

function isNumbers(reply: unknown): reply is number[] {
  return Array.isArray(reply) && reply.every(isNumber);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
