import { LRUCache } from 'lru-cache';
import { perSnapshot } from '../../../../../base/per-snapshot.ts';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../../../base/times.ts';
import type { Entrance } from '../../../../../operations/access/entrance.ts';
import type { Meta } from '../../../../../operations/answer/meta.ts';
import { coinFunding } from '../../../../../operations/coin-funding/coin-funding.ts';
import { interestTotal, type OpenInterest } from '../../../../../operations/tape/interest-points.ts';
import { openInterestHistory } from '../../../../../operations/tape/open-interest.ts';
import { answerForPage, type Row } from '../../../layout/visitor.ts';
import { type DaysRange, daysRange } from '../../funding/days-range.ts';
import type { PageContext } from '../../page-context.ts';
import { daysOf } from '../paid-chart.ts';
import { type VenueChoice, venueChoice, venuesByVolume } from '../venue-choice.ts';

export const RANGES_DAYS = [1, 7, 30] as const;
export const USUAL_DAYS = 7;
const [, , LONGEST_DAYS] = RANGES_DAYS;
/** The most venues that one call of the operation names. */
const VENUES_PER_CALL = 20;
/** Open interest is recorded every five minutes. */
export const VALID_MS = 5 * MINUTE_MS;
const MOST_COINS = 100;

type Series = OpenInterest['series'];

/** Open interest and premium of a coin over the last days. */
interface Window {
  series: Series;
  total: OpenInterest['total'];
  meta: Meta;
}

export interface LoadedInterest extends Window {
  coin: string;
  days: number;
  range: DaysRange;
  fromMs: number;
  toMs: number;
  stepMs: number;
  choice: VenueChoice;
}

const windowsOf = perSnapshot(
  (_entrance: Entrance) => new LRUCache<string, Promise<Window>>({ max: MOST_COINS }),
);

export async function loadInterest(context: PageContext): Promise<LoadedInterest> {
  const { entrance, caller, named, sent } = context;
  const query = new Map([['coin', [named.coin ?? '']]]);
  const { data } = await answerForPage<{ coin: string; rates: readonly Row[] }>(
    ...[entrance, coinFunding, caller, query],
  );
  const { coin } = data;
  const range = daysRange(context, LONGEST_DAYS);
  const days = daysOf(range, USUAL_DAYS);
  const venues = venuesByVolume(data.rates);
  const slot = Math.floor(entrance.clock.nowMs() / VALID_MS);
  const key = JSON.stringify([coin, days, caller.plan.name, slot, venues.toSorted()]);
  const windows = windowsOf(entrance);
  let reading = windows.get(key);
  if (!reading) {
    reading = readWindow(context, coin, venues, days);
    windows.set(key, reading);
    reading.catch(() => windows.delete(key));
  }
  const window = await reading;
  const toMs = Date.parse(window.meta.as_of);
  return {
    ...window,
    ...{ coin, days, range, toMs, fromMs: toMs - days * DAY_MS },
    stepMs: days === 1 ? VALID_MS : HOUR_MS,
    choice: venueChoice(sent.get('show')?.join(',') ?? null, venues),
  };
}

async function readWindow(
  { entrance, caller }: PageContext,
  coin: string,
  venues: readonly string[],
  days: number,
): Promise<Window> {
  const series: Series[number][] = [];
  let meta: Meta | null = null;
  for (let from = 0; from < Math.max(1, venues.length); from += VENUES_PER_CALL) {
    const query = { coin, step: days === 1 ? '5m' : '1h', days: String(days) };
    const sent = new Map(Object.entries(query).map(([name, value]) => [name, [value]]));
    if (venues.length > 0) sent.set('exchange', [venues.slice(from, from + VENUES_PER_CALL).join(',')]);
    const answer = await answerForPage<OpenInterest>(entrance, openInterestHistory, caller, sent);
    series.push(...answer.data.series);
    // Each part ends with its own newest minute.
    if (meta === null || meta.as_of < answer.meta.as_of) meta = answer.meta;
  }
  if (!meta) throw new Error('a window has at least one part');
  return { series, total: await interestTotal(series), meta };
}

/** The sums, for the CSV and the Markdown file. */
export function totalRows({ total, stepMs, toMs }: LoadedInterest): Record<string, string | number | null>[] {
  return total.map(({ at, open_interest_usdt, open_interest_venues }) => ({
    known_at: isoTime(endOf(at, stepMs, toMs)),
    open_interest_usdt,
    venues: open_interest_venues,
  }));
}

/** The figures of a step are those of its end; the last step may not be over. */
export function endOf(at: string, stepMs: number, toMs: number): number {
  return Math.min(Date.parse(at) + stepMs, toMs);
}
