import { median, roundPercent } from '../../src/base/numbers.ts';
import type { Identity } from '../../src/market/identity.ts';
import type { MadeQuote } from '../support/made-market.ts';

/** The rules of the print, written for clarity: recomputes every pair each time. */
export interface ReferenceQuote extends MadeQuote {
  quote: string;
  bidSize: number | null;
  askSize: number | null;
  volume24hUsdt: number;
  receivedAtMs: number;
  takerFeePct: number;
}

export interface ReferenceRow {
  symbol: string;
  coin: string;
  exchange_a: string;
  exchange_b: string;
  spread_pct: number;
  direction: string;
  long_a_short_b_pct: number;
  short_a_long_b_pct: number;
  bid_a: number;
  ask_a: number;
  bid_b: number;
  ask_b: number;
  strength: number;
  updated_at_ms: number;
}

export interface Memory {
  /** The better direction of each pair in earlier prints, the newest last. */
  directions: Map<string, string>[];
  rates: Map<string, number>;
}

const QUOTES = ['USDT', 'USDC', 'USD', 'USDE', 'USDH', 'FDUSD'];

export function referencePrint(
  quotes: readonly ReferenceQuote[],
  identities: ReadonlyMap<string, Identity>,
  asOfMs: number,
  memory: Memory,
): ReferenceRow[] {
  const legs = quotes
    .map((leg) => ({ ...leg, identity: identities.get(`${leg.exchange}/${leg.base}${leg.quote}`) }))
    .filter((leg) => !leg.isInverse && QUOTES.includes(leg.quote))
    .filter((leg) => leg.identity && !leg.identity.isPriceOutlier)
    .filter((leg) => asOfMs - leg.receivedAtMs <= 120_000)
    .filter((leg) => leg.bid > 0 && leg.ask > 0 && leg.bid <= leg.ask)
    .map((leg) => ({
      ...leg,
      coin: leg.identity?.coin ?? '',
      coinBid: leg.bid / (leg.identity?.multiplier ?? 1),
      coinAsk: leg.ask / (leg.identity?.multiplier ?? 1),
    }));

  const ratios = (quote: string, to: string) =>
    legs.flatMap((leg) =>
      legs
        .filter((other) => other.exchange === leg.exchange && other.coin === leg.coin)
        .filter((other) => leg.quote === quote && other.quote === to)
        .map((other) => (other.coinBid + other.coinAsk) / (leg.coinBid + leg.coinAsk))
        .filter((ratio) => Math.abs(ratio - 1) <= 0.25),
    );
  const rate = (samples: number[]) => Math.round(median(samples) * 1e5) / 1e5;
  const direct = ['USDC', 'USD'].filter((quote) => ratios(quote, 'USDT').length > 0);
  for (const quote of direct) memory.rates.set(quote, rate(ratios(quote, 'USDT')));
  for (const [quote, by] of [
    ['USDC', 'USD'],
    ['USD', 'USDC'],
  ] as const) {
    const samples = ratios(quote, by).map((ratio) => ratio * (memory.rates.get(by) ?? 1));
    if (!direct.includes(quote) && direct.includes(by) && samples.length > 0)
      memory.rates.set(quote, rate(samples));
  }
  const inUsdt = (price: number, leg: (typeof legs)[number]) =>
    Number((price * (memory.rates.get(leg.quote) ?? 1)).toPrecision(12));

  const rows: ReferenceRow[] = [];
  const directions = new Map<string, string>();
  for (const coin of new Set(legs.map((leg) => leg.coin))) {
    const exchanges = [...new Set(legs.filter((leg) => leg.coin === coin).map((leg) => leg.exchange))].sort();
    for (const exchangeA of exchanges) {
      for (const exchangeB of exchanges.filter((exchange) => exchange > exchangeA)) {
        const of = (exchange: string) =>
          legs
            .filter((leg) => leg.coin === coin && leg.exchange === exchange)
            .sort((x, y) => QUOTES.indexOf(x.quote) - QUOTES.indexOf(y.quote));
        const choices = of(exchangeA).flatMap((a) => of(exchangeB).map((b) => ({ a, b })));
        const choice = choices.find(({ a, b }) => a.quote === b.quote) ?? choices[0];
        if (!choice) continue;
        const { a, b } = choice;
        const [bidA, askA] = [inUsdt(a.coinBid, a), inUsdt(a.coinAsk, a)];
        const [bidB, askB] = [inUsdt(b.coinBid, b), inUsdt(b.coinAsk, b)];
        const [midA, midB] = [(bidA + askA) / 2, (bidB + askB) / 2];
        if (Math.abs(midA - midB) > 0.25 * Math.min(midA, midB)) continue;
        const long = roundPercent(((bidB - askA) / askA) * 100);
        const short = roundPercent(((bidA - askB) / askB) * 100);
        const direction = long >= short ? 'long_a_short_b' : 'short_a_long_b';
        const name = `${coin} ${exchangeA} ${exchangeB}`;
        directions.set(name, direction);
        const [bought, sold] = long >= short ? [a, b] : [b, a];
        const usd = (size: number | null, price: number, leg: typeof a) =>
          (size ?? 0) * price * (memory.rates.get(leg.quote) ?? 1);
        const conditions = [
          Math.max(long, short) >= roundPercent(2 * (a.takerFeePct + b.takerFeePct)),
          a.volume24hUsdt >= 1_000_000 && b.volume24hUsdt >= 1_000_000,
          asOfMs - a.receivedAtMs < 15_000 && asOfMs - b.receivedAtMs < 15_000,
          usd(bought.askSize, bought.ask, bought) >= 500 && usd(sold.bidSize, sold.bid, sold) >= 500,
          memory.directions.length >= 2 &&
            memory.directions.slice(-2).every((print) => print.get(name) === direction),
        ];
        rows.push({
          symbol: `${coin}-${a.quote === b.quote ? a.quote : 'USD'}`,
          coin,
          exchange_a: exchangeA,
          exchange_b: exchangeB,
          spread_pct: Math.max(long, short),
          direction,
          long_a_short_b_pct: long,
          short_a_long_b_pct: short,
          bid_a: bidA,
          ask_a: askA,
          bid_b: bidB,
          ask_b: askB,
          strength: conditions.filter(Boolean).length,
          updated_at_ms: Math.min(a.receivedAtMs, b.receivedAtMs),
        });
      }
    }
  }
  memory.directions.push(directions);
  return rows;
}
