import { VENUES } from '../../src/venues/registry.ts';
import type { Venue } from '../../src/venues/venue.ts';
import { MadeMarket, type MadeQuote } from '../../test/support/made-market.ts';
import { sized } from '../size.ts';
import type { NaiveLeg } from './naive-spreads.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
/** Full size: about 8,000 contracts and 70,000 pairs on the venues that have not ended. */
export const FULL_COINS = sized(460, 230, 12);
const LIVE_VENUES: readonly Venue[] = VENUES.filter(({ facts }) => !facts.endedAt);
const LISTED_SHARE = 0.54;
const QUOTE_OF: Readonly<Record<string, string>> = {
  Hyperliquid: 'USDC',
  Backpack: 'USDC',
  Deribit: 'USDC',
  Lighter: 'USDC',
  Kraken: 'USD',
  dYdX: 'USD',
  Paradex: 'USD',
};
/** These coins are quoted in USDC as well; the rates of stablecoins are computed from them. */
const COINS_IN_BOTH = 10;

/** Venues with some hundreds of coins each; every price changes with each move. */
export class SpreadMarket {
  readonly made = new MadeMarket();
  readonly #quotes: (MadeQuote & { quote: string; volume24hUsdt: number })[] = [];
  #state = 1;
  nowMs = START_MS;

  constructor(coins = FULL_COINS) {
    for (let coin = 0; coin < coins; coin++) {
      const bid = 10 ** (this.#unit() * 6 - 3);
      for (const { facts } of LIVE_VENUES) {
        if (this.#unit() >= LISTED_SHARE) continue;
        const quote = {
          exchange: facts.exchange,
          base: `COIN${coin}`,
          quote: QUOTE_OF[facts.exchange] ?? 'USDT',
          bid,
          ask: bid * 1.0002,
          volume24hUsdt: Math.round(this.#unit() * 1e8),
          ratePct: Math.round(this.#unit() * 1e5) / 1e6,
          nextFundingAtMs: START_MS + 6 * 3_600_000 + 1_800_000,
        };
        this.#quotes.push(quote);
        if (coin < COINS_IN_BOTH && quote.quote === 'USDT') this.#quotes.push({ ...quote, quote: 'USDC' });
      }
    }
    this.move(0);
    this.made.freezer.freeze(this.nowMs);
  }

  move(byMs: number): void {
    this.nowMs += byMs;
    for (const quote of this.#quotes) {
      quote.bid = Number((quote.bid * (1 + (this.#unit() - 0.5) * 0.002)).toPrecision(6));
      quote.ask = Number((quote.bid * 1.0002).toPrecision(7));
      quote.volume24hUsdt += Math.round(this.#unit() * 1000);
    }
    this.made.hear(this.#quotes, this.nowMs);
  }

  /** The market for the naive way: one object per contract, every quote worth one USDT. */
  naiveLegs(): NaiveLeg[] {
    return this.made.market.states().map((state) => ({
      exchange: state.venue.facts.exchange,
      coin: state.contract.base,
      quote: state.contract.quote,
      bid: state.top?.bidPrice ?? 0,
      ask: state.top?.askPrice ?? 0,
      bidUsd: (state.top?.bidSize ?? 0) * (state.top?.bidPrice ?? 0),
      askUsd: (state.top?.askSize ?? 0) * (state.top?.askPrice ?? 0),
      volume24hUsdt: state.volume24hUsdt ?? 0,
      takerFeePct: state.venue.facts.takerFeePct.value,
      ratePct: state.ratePct,
      intervalHours: state.intervalHours,
      nextFundingAtMs: state.nextFundingAtMs,
      receivedAtMs: state.topAtMs,
    }));
  }

  #unit(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }
}
