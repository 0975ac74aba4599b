import { systemClock } from '../../base/clock.ts';
import { MINUTES_PER_BLOCK, minuteOf } from '../../history/samples/model.ts';
import type { MinuteRange } from '../../history/samples/store.ts';
import type { CollectorParts } from './collector-parts.ts';
import { samplePast } from './past-samples.ts';

/**
 * With this many coins on all venues, two busy cores make seven days of samples and the backtest in less than three
 * minutes. The first coins are majors, whose spreads rarely exceed the fees, so they would give no rows.
 */
const PAST_COINS = { first: 4, count: 5 };
const MINUTES_PER_DAY = 1440;
/** What a start waits for: about a second of work, which grows with the pairs of venues. The rest follows in the background. */
const NEWEST_HOURS = { hours: 4, venues: 35, most: 48 };

/** Samples the end of the simulator's past and computes a backtest of it. */
export async function sampleNewestPast(parts: CollectorParts, simUrl: string, coins: number): Promise<void> {
  const toMinute = minuteOf(systemClock.nowMs());
  const hour = toMinute - (toMinute % MINUTES_PER_BLOCK);
  const { venues, settings } = parts.context;
  const wanted = Math.round(NEWEST_HOURS.hours * (NEWEST_HOURS.venues / venues.length) ** 2);
  const hours = Math.min(wanted, NEWEST_HOURS.most, settings.backtestDays * 24 - 1);
  const fromMinute = hour - hours * MINUTES_PER_BLOCK;
  const newest = (await parts.samples.store.missing(fromMinute, toMinute)).at(-1);
  if (newest && newest.toMinute === toMinute)
    await sample(parts, simUrl, coins, newest, new AbortController().signal);
  await parts.backtest.catchUp(true);
}

/** Samples the minutes that have begun since: live samples start with the next one, and would leave a gap. */
export async function sampleMinutesSince(
  parts: CollectorParts,
  simUrl: string,
  coins: number,
): Promise<void> {
  const lastMinute = (await parts.samples.store.span())?.lastMinute;
  if (lastMinute !== undefined && lastMinute < minuteOf(systemClock.nowMs()))
    await sampleNewestPast(parts, simUrl, coins);
}

/** Samples what is missing of the backtest's days, then computes the backtest again. */
export async function sampleOlderPast(
  parts: CollectorParts,
  simUrl: string,
  coins: number,
  signal: AbortSignal,
): Promise<void> {
  const { store } = parts.samples;
  const lastMinute = (await store.span())?.lastMinute ?? minuteOf(systemClock.nowMs());
  const days = parts.context.settings.backtestDays;
  const ranges = await store.missing(lastMinute - days * MINUTES_PER_DAY + 1, lastMinute);
  // Shorter ones are left by a restart, as in the real service, and are not worth computing seven days again.
  const missing = ranges.filter((range) => range.toMinute - range.fromMinute >= MINUTES_PER_BLOCK);
  for (const range of missing) await sample(parts, simUrl, coins, range, signal);
  if (missing.length > 0 && !signal.aborted) await parts.backtest.recompute();
}

async function sample(
  parts: CollectorParts,
  simUrl: string,
  coins: number,
  range: MinuteRange,
  signal: AbortSignal,
): Promise<void> {
  await samplePast({
    simUrl,
    market: parts.context.market,
    store: parts.samples.store,
    firstCoin: coins >= PAST_COINS.first + PAST_COINS.count ? PAST_COINS.first : 0,
    coins: Math.min(coins, PAST_COINS.count),
    range,
    signal,
  });
}
