import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { encodeDay } from '../../src/history/tape/block.ts';
import { TapeNumbers } from '../../src/history/tape/contracts.ts';
import { TapeSeries } from '../../src/history/tape/series.ts';
import { tapeDayId } from '../../src/storage/blocks.ts';
import type { Running } from '../support/service.ts';

const TAPE_DAYS = 5;
const DAY_MINUTES = DAY_MS / MINUTE_MS;
const INTERVAL_HOURS = 8;
/** Each day of the made tape has a gap from this hour to the next. */
export const GAP_HOUR = 5;

/** The running rate of BTC on a venue in the made tape: it moves slowly, so that rates of unlike hours differ. */
export function madeRatePct(minute: number, exchange: string): number {
  const swing = Math.sin((minute / DAY_MINUTES) * 2) * (exchange === 'Bybit' ? 2 : 1);
  return Number((0.01 * swing + 0.005).toFixed(6));
}

export const madeInterestUsdt = (minute: number): number =>
  10_000_000 * (100 + (Math.floor(minute / 60) % 50));

/** The premium of every venue, in percent. */
export const madePremiumPct = (minute: number): number =>
  Number((0.02 * Math.sin(minute / 300)).toFixed(3)) + 0;

/** Some days of the tape of BTC on every venue, up to the hour before the last, with a gap each day. */
export async function keepTape({ service: { context }, clock }: Running): Promise<void> {
  const { db } = context.storage;
  const contracts = context.market
    .states()
    .filter(({ contract: { base, isInverse } }) => base === 'BTC' && !isInverse)
    .map(({ venue, contract: { venueSymbol, quote } }) => ({
      ...{ exchange: venue.facts.exchange, venueSymbol },
      ...{ coin: 'BTC', symbol: `BTC-${quote}` },
    }));
  const ids = await new TapeNumbers(db).idsOf(contracts, null);
  const toMinute = Math.floor(clock.nowMs() / HOUR_MS) * 60;
  const lastDay = Math.floor(toMinute / DAY_MINUTES);
  const blocks = new Map<string, readonly Uint8Array[]>();
  const rows: { id: number; block: Uint8Array }[] = [];
  for (const [place, { exchange }] of contracts.entries())
    for (let day = lastDay - TAPE_DAYS; day <= lastDay; day++) {
      const key = `${day} ${exchange === 'Bybit'}`;
      const parts = blocks.get(key) ?? encodeDay(madeDay(day, exchange, toMinute));
      blocks.set(key, parts);
      for (const [part, block] of parts.entries())
        rows.push({ id: tapeDayId(day, ids[place] ?? 0, part), block });
    }
  for (let from = 0; from < rows.length; from += 100)
    await db
      .insertInto('tape_days')
      .values(rows.slice(from, from + 100))
      // Shortly after midnight the service has packed its own first minutes of the day before.
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((excluded) => ({ block: excluded.ref('excluded.block') })),
      )
      .execute();
}

function madeDay(day: number, exchange: string, toMinute: number): TapeSeries {
  const start = day * DAY_MINUTES;
  const series = new TapeSeries(start, DAY_MINUTES);
  const intervalMs = INTERVAL_HOURS * HOUR_MS;
  for (let i = 0; i < DAY_MINUTES && start + i < toMinute; i++) {
    if (Math.floor(i / 60) === GAP_HOUR) continue;
    const minute = start + i;
    series.column('ratePct')[i] = madeRatePct(minute, exchange);
    series.column('intervalHours')[i] = INTERVAL_HOURS;
    series.column('nextFundingAtMs')[i] = (Math.floor((minute * MINUTE_MS) / intervalMs) + 1) * intervalMs;
    series.column('premiumPct')[i] = madePremiumPct(minute);
    const five = Math.floor(i / 5);
    series.column('markPrice')[five] = 90_000;
    series.column('openInterestUsdt')[five] = madeInterestUsdt(minute);
    series.column('volume24hUsdt')[five] = 5_000_000;
  }
  return series;
}
