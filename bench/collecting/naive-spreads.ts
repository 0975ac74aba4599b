import { roundPercent } from '../../src/base/numbers.ts';
import { isoTime } from '../../src/base/times.ts';

/** The naive way to make the spread table: objects, all pairs, everything sorted and serialised every time. */
export interface NaiveLeg {
  exchange: string;
  coin: string;
  quote: string;
  bid: number;
  ask: number;
  bidUsd: number;
  askUsd: number;
  volume24hUsdt: number;
  takerFeePct: number;
  ratePct: number | null;
  intervalHours: number | null;
  nextFundingAtMs: number | null;
  receivedAtMs: number;
}

export function naiveSpreads(
  legs: readonly NaiveLeg[],
  nowMs: number,
  before: readonly ReadonlyMap<string, string>[],
): { json: string; directions: Map<string, string> } {
  const directions = new Map<string, string>();
  const rows: { spread_pct: number }[] = [];
  for (const group of Map.groupBy(legs, (leg) => leg.coin).values()) {
    const byVenue = Map.groupBy(group, (leg) => leg.exchange);
    const venues = [...byVenue.keys()].sort();
    for (const [i, venueA] of venues.entries()) {
      for (const venueB of venues.slice(i + 1)) {
        const choices = (byVenue.get(venueA) ?? []).flatMap((a) =>
          (byVenue.get(venueB) ?? []).map((b) => ({ a, b })),
        );
        const { a, b } = choices.find((choice) => choice.a.quote === choice.b.quote) ?? choices[0] ?? {};
        if (a && b && nowMs - Math.min(a.receivedAtMs, b.receivedAtMs) <= 120_000)
          rows.push(row(a, b, nowMs, before, directions));
      }
    }
  }
  rows.sort((x, y) => y.spread_pct - x.spread_pct);
  return { json: JSON.stringify(rows), directions };
}

function row(
  a: NaiveLeg,
  b: NaiveLeg,
  nowMs: number,
  before: readonly ReadonlyMap<string, string>[],
  directions: Map<string, string>,
) {
  const long = roundPercent(((b.bid - a.ask) / a.ask) * 100);
  const short = roundPercent(((a.bid - b.ask) / b.ask) * 100);
  const direction = long >= short ? 'long_a_short_b' : 'short_a_long_b';
  const name = `${a.coin} ${a.exchange} ${b.exchange}`;
  directions.set(name, direction);
  const strength = [
    Math.max(long, short) >= 2 * (a.takerFeePct + b.takerFeePct),
    a.volume24hUsdt >= 1e6 && b.volume24hUsdt >= 1e6,
    nowMs - a.receivedAtMs < 15_000 && nowMs - b.receivedAtMs < 15_000,
    long >= short ? a.askUsd >= 500 && b.bidUsd >= 500 : b.askUsd >= 500 && a.bidUsd >= 500,
    before.length === 2 && before.every((earlier) => earlier.get(name) === direction),
  ].filter(Boolean).length;
  const time = (timeMs: number | null) => (timeMs === null ? null : isoTime(timeMs));
  return {
    symbol: `${a.coin}-${a.quote === b.quote ? a.quote : 'USD'}`,
    coin: a.coin,
    exchange_a: a.exchange,
    exchange_b: b.exchange,
    spread_pct: Math.max(long, short),
    direction,
    long_a_short_b_pct: long,
    short_a_long_b_pct: short,
    bid_a: a.bid,
    ask_a: a.ask,
    bid_b: b.bid,
    ask_b: b.ask,
    volume_a_usdt: a.volume24hUsdt,
    volume_b_usdt: b.volume24hUsdt,
    funding_rate_a_pct: a.ratePct,
    funding_rate_b_pct: b.ratePct,
    funding_interval_hours_a: a.intervalHours,
    funding_interval_hours_b: b.intervalHours,
    next_funding_at_a: time(a.nextFundingAtMs),
    next_funding_at_b: time(b.nextFundingAtMs),
    strength,
    updated_at: isoTime(Math.min(a.receivedAtMs, b.receivedAtMs)),
  };
}
