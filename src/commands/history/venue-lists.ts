import { systemClock } from '../../base/clock.ts';
import { SECOND_MS } from '../../base/times.ts';
import type { Collector } from '../../venues/collecting/collector.ts';

const LIST_TRIES = 8;
const LIST_RETRY_MS = SECOND_MS / 2;

/** Fetches the contract lists, or with null also the bulk quotes from which coins are resolved; retries what fails. */
export async function collectLists(
  collector: Collector,
  topic: 'contracts' | null,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 0; tries < LIST_TRIES && !signal.aborted; tries++) {
    const missing = missingPolls(collector, topic);
    if (missing.length === 0) return;
    if (tries > 0) await systemClock.sleep(LIST_RETRY_MS * tries, signal);
    await collector.collectOnce(signal, (poll) => missing.includes(poll.name));
  }
}

export function missingPolls(collector: Collector, topic: 'contracts' | null): string[] {
  const good = new Set(
    collector
      .health()
      .sources.filter((source) => source.lastGoodAtMs !== null)
      .map((source) => source.name),
  );
  return collector.venue.polls
    .filter((poll) => poll.kind === 'bulk' && !good.has(poll.name) && !poll.gives.includes('notices'))
    .filter((poll) => topic === null || poll.gives.includes(topic))
    .map((poll) => poll.name);
}
