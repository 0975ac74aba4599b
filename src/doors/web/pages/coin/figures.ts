import { HOUR_MS, isoTime } from '../../../../base/times.ts';
import { netAprPct, roundTripCostPct, roundTripFeePct } from '../../../../engines/arbitrage/figures.ts';
import type { Row } from '../../layout/visitor.ts';
import { countdown, moneyText, signedPercent, timeOfHour, usdt } from '../../markup/format.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueName } from '../../markup/icons/marks.ts';
import { type Stat, statStrip } from '../../markup/stat-strip.ts';
import { aprOf, rateText, type Unit } from '../funding/units.ts';
import { type CoinComparison, type HourlyRate, perHourPct } from './comparison.ts';
import type { FeeOf } from './fees.ts';
import { priceChangeHtml } from './price-change.ts';

const HOURS_PER_DAY = 24;

/** The average rate of the linear contracts per hour, by 24 h volume; null without volume. */
export function averagePerHour(rates: readonly Row[]): number | null {
  let [sum, volumes] = [0, 0];
  for (const row of rates) {
    const [perHour, volume] = [perHourPct(row), Number(row.volume_24h_usdt) || 0];
    if (row.is_inverse === true || perHour === null) continue;
    sum += perHour * volume;
    volumes += volume;
  }
  return volumes > 0 ? sum / volumes : null;
}

/** Percent a year of long and short at the two venues, held for `days`, after the four fills and both books crossed twice. */
function netCarryPct(
  { short, long }: CoinComparison,
  feeOf: FeeOf,
  crossingPct: number,
  days: number,
): number {
  const feePct = roundTripFeePct(feeOf(long.row), feeOf(short.row));
  const carryDay = (short.perHourPct - long.perHourPct) * HOURS_PER_DAY;
  return netAprPct(carryDay, roundTripCostPct(feePct, crossingPct, 0), days);
}

/** The coming settlement of a contract; with delayed data the one after, if it is past. Null: it does not say. */
export function nextSettlementMs(row: Row, nowMs: number): number | null {
  if (typeof row.next_funding_at !== 'string') return null;
  const atMs = Date.parse(row.next_funding_at);
  if (atMs > nowMs) return atMs;
  const everyMs = Number(row.interval_hours) * HOUR_MS;
  return everyMs > 0 ? atMs + (Math.floor((nowMs - atMs) / everyMs) + 1) * everyMs : null;
}

export interface CoinFigures {
  rates: readonly Row[];
  comparison: CoinComparison | null;
  /** What opening and closing its legs gains or costs without fees; null if the prices are not known now. */
  crossingPct: number | null;
  totalVolumeUsdt: number;
  feeOf: FeeOf;
  /** For how long the reader would hold a position. */
  heldDays: number;
  nowMs: number;
}

/** Six figures of a coin. Rates are compared per hour and shown in the reader's unit. */
export function coinFigures(figures: CoinFigures, unit: Unit): Html {
  const { rates, comparison, totalVolumeUsdt } = figures;
  const average = averagePerHour(rates);
  const venues = new Set(rates.map((row) => String(row.exchange))).size;
  const counted = `${venues} ${venues === 1 ? 'venue' : 'venues'}, ${rates.length} ${rates.length === 1 ? 'contract' : 'contracts'}`;
  return statStrip(
    [
      {
        label: 'Average, by volume',
        ...rateStat(average, unit),
        meaning: average === null ? 'nothing was traded' : otherUnit(average, unit),
      },
      venueStat('Highest', comparison?.short ?? null, unit, (perHour) =>
        perHour < 0 ? 'no venue pays shorts now' : 'short here',
      ),
      venueStat('Lowest', comparison?.long ?? null, unit, (perHour) =>
        perHour > 0 ? 'no venue pays longs now' : 'long here',
      ),
      carryStat(figures),
      { label: '24 h volume', value: usdt(totalVolumeUsdt), meaning: counted },
      settlementStat(figures),
    ],
    'stats',
  );
}

function rateStat(perHour: number | null, unit: Unit): Pick<Stat, 'value' | 'tone'> {
  if (perHour === null) return { value: '–', tone: null };
  const text = rateText(perHour, unit);
  return {
    value: `${text}\u00a0%`,
    tone: text.startsWith('+') ? 'pos' : text.startsWith('−') ? 'neg' : null,
  };
}

/** The same rate in the other usual unit. */
function otherUnit(perHour: number, unit: Unit): string {
  return unit === 'apr'
    ? `${rateText(perHour, '8h')}\u00a0% per 8 h`
    : `${signedPercent(aprOf(perHour), 1)} a year`;
}

function venueStat(
  label: string,
  rate: HourlyRate | null,
  unit: Unit,
  adviceFor: (perHourPct: number) => string,
): Stat {
  if (!rate) return { label, value: '–', meaning: 'no interval is known' };
  const exchange = String(rate.row.exchange);
  return {
    label,
    ...rateStat(rate.perHourPct, unit),
    meaning: html`${venueName(exchange, 14)} <span class="mut">${adviceFor(rate.perHourPct)}</span>`,
  };
}

function carryStat({ comparison, crossingPct, feeOf, heldDays }: CoinFigures): Stat {
  const label = 'Best carry, gross';
  const carryAprPct = comparison?.carryAprPct ?? null;
  if (!comparison || carryAprPct === null) return { label, value: '–', meaning: 'it takes two venues' };
  return {
    label,
    value: html`${carryAprPct.toFixed(1)}\u00a0% <small>APR</small>`,
    meaning:
      crossingPct === null
        ? 'costs not known: no price of both legs'
        : `${signedPercent(netCarryPct(comparison, feeOf, crossingPct, heldDays), 1).replace('+', '')} net, held ${heldDays}\u00a0d`,
  };
}

function settlementStat({ rates, nowMs }: CoinFigures): Stat {
  const counts = new Map<number, Set<string>>();
  for (const row of rates) {
    const atMs = nextSettlementMs(row, nowMs);
    if (atMs === null) continue;
    counts.set(atMs, (counts.get(atMs) ?? new Set()).add(String(row.exchange)));
  }
  const label = 'Next settlement';
  const next = [...counts].sort((a, b) => a[0] - b[0])[0];
  const most = [...counts].sort((a, b) => b[1].size - a[1].size || a[0] - b[0])[0];
  if (!next || !most) return { label, value: html`<small>continuous</small>`, meaning: 'no venue says when' };
  const [atMs, venues] = next;
  const words = `${venues.size} ${venues.size === 1 ? 'venue' : 'venues'}`;
  const later = most[0] === atMs ? null : html`; ${most[1].size} at ${timeOfHour(isoTime(most[0]))}`;
  return { label, value: countdown(isoTime(atMs)), meaning: html`<span>${words}${later}</span>` };
}

/** The price of the largest contract and its change, below the name. */
export function priceLine(rates: readonly Row[], changePct: number | null): Html | null {
  const [largest] = rates
    .filter((row) => typeof row.mark_price === 'number')
    .toSorted((a, b) => Number(b.volume_24h_usdt) - Number(a.volume_24h_usdt));
  if (!largest) return null;
  const price = Number(largest.mark_price);
  const digits = price >= 1000 ? 1 : price >= 1 ? 3 : 8;
  const text = grouped(price, 1, digits);
  return html`<p class="px" id="price" data-live>
    <span
      title="Mark price of ${String(largest.symbol)} on ${String(largest.exchange)}, ${moneyText(Number(largest.volume_24h_usdt))} a day">
      $${text}
    </span> · ${priceChangeHtml(changePct)}
  </p>`;
}
