import { RedisUnavailableError } from '../../../storage/redis/redis.ts';
import type { RedisNames } from '../../redis-names.ts';
import type { ReportUnreadable } from '../../unreadable.ts';
import { windowsName } from './layout.ts';
import type { LayoutKeeper } from './layout-keeper.ts';
import { type MonthUnknown, type PulledWindows, parsePullReply } from './replies.ts';
import { FILL, PULL } from './scripts.ts';
import type { WindowServer } from './server.ts';

export interface FillOptions {
  names: RedisNames;
  layout: Pick<LayoutKeeper, 'version' | 'previousServerOf'>;
  /** Undefined for a server that is not in the list of this process. */
  serverNamed(name: string): WindowServer | undefined;
  /** The database's total of a slot's month, including all that this process has counted. Never rejects. */
  storedMonth(slotId: string, startMs: number): Promise<number>;
  reportUnreadable: ReportUnreadable;
}

/**
 * Gives a server the windows of a slot that it does not have: the month from the database, and what another server
 * counted before the slot moved. Returns false if that server cannot tell: then its last minute is unknown, and requests
 * are refused until it is over.
 */
export async function fillWindows(
  to: WindowServer,
  slotId: string,
  { monthStartMs, generation }: MonthUnknown,
  options: FillOptions,
): Promise<boolean> {
  const { names, layout, storedMonth } = options;
  const { version } = layout;
  const pulled = await pullWindows(to, slotId, options);
  if (pulled === 'unknown') return false;
  const stored = await storedMonth(slotId, monthStartMs);
  const used = pulled?.monthStartMs === monthStartMs ? Math.max(pulled.monthUsed, stored) : stored;
  const head = [to.modeSwitch.epoch, generation, monthStartMs, used].map(String);
  const requests = pulled?.requests.flatMap(({ name, atMs }) => [String(atMs), name]) ?? [];
  const name = windowsName(slotId, version);
  const keys = [names.cluster, names.month(name), names.minute(name)];
  await to.redis.run(FILL, keys, [...head, ...requests]).catch((error: unknown) => {
    if (!(error instanceof RedisUnavailableError)) throw error;
  });
  return true;
}

/** What was counted by the layout before, with times by the clock of the new server; null if nothing of it matters. */
async function pullWindows(
  to: WindowServer,
  slotId: string,
  { names, layout, serverNamed, reportUnreadable }: FillOptions,
): Promise<PulledWindows | 'unknown' | null> {
  const { version } = layout;
  const previous = layout.previousServerOf(slotId);
  if (previous === null) return null;
  const from = serverNamed(previous);
  if (!from) return 'unknown';
  const { modeSwitch } = from;
  if (modeSwitch.mode === 'switching') await modeSwitch.settled();
  // Only in this mode does the server have the last minute of all processes.
  if (modeSwitch.mode !== 'shared') return 'unknown';
  const { term, epoch } = modeSwitch;
  const name = windowsName(slotId, version - 1);
  const keys = [names.cluster, names.minute(name), names.month(name)];
  const reply = await from.redis.run(PULL, keys, [epoch, String(version)]).catch((error: unknown) => {
    if (error instanceof RedisUnavailableError) return null;
    throw error;
  });
  const pulled = reply === null ? null : parsePullReply(reply);
  if (reply !== null && pulled === null) reportUnreadable('pull');
  if (pulled === 'other-epoch') modeSwitch.leaveShared();
  if (pulled === null || pulled === 'other-epoch' || modeSwitch.term !== term) return 'unknown';
  const shiftMs = to.clock.mostAheadOf(from.clock);
  return {
    ...pulled,
    requests: pulled.requests.map((request) => ({ ...request, atMs: request.atMs + shiftMs })),
  };
}
