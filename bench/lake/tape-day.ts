import { Universe } from '../../sim/contracts.ts';
import { quoteAt } from '../../sim/market.ts';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { DAY_MS, MINUTE_MS } from '../../src/base/times.ts';
import { encodeDay } from '../../src/history/tape/block.ts';
import { FIVE, premiumPct, rounded, TapeSeries } from '../../src/history/tape/series.ts';
import { DAY_MINUTES } from '../../src/history/tape/store.ts';
import { tapeDayId } from '../../src/storage/blocks.ts';
import type { Storage } from '../../src/storage/storage.ts';

/** Stores a day of the simulator's figures of some contracts, in which nearly every rate changes each minute. */
export async function storeTapeDay(storage: Storage, dayStartMs: number, contracts: number): Promise<void> {
  const profile = SIM_VENUES[0]?.profile;
  if (!profile) throw new Error('there is no simulated venue');
  const chosen = new Universe(1, 2 * contracts).at(profile, dayStartMs).slice(0, contracts);
  for (const [place, contract] of chosen.entries()) {
    const [id, coin] = [place + 1, `C${Math.floor(place / 4)}`];
    const names = { exchange: 'Binance', venue_symbol: `${coin}-${id}`, symbol: `${coin}-USDT`, coin };
    await storage.db
      .insertInto('tape_contracts')
      .values({ id, ...names })
      .execute();
    const series = new TapeSeries(dayStartMs / MINUTE_MS, DAY_MINUTES);
    for (let i = 0; i < DAY_MINUTES; i++) {
      const quote = quoteAt(contract, dayStartMs + i * MINUTE_MS + 55_000);
      series.column('ratePct')[i] = quote.rateE8 / 1e6;
      series.column('intervalHours')[i] = quote.intervalHours;
      series.column('nextFundingAtMs')[i] = quote.nextFundingAtMs;
      series.column('premiumPct')[i] = premiumPct(quote.markPrice, quote.indexPrice);
      const five = Math.floor(i / FIVE);
      series.column('markPrice')[five] = rounded('markPrice', quote.markPrice);
      series.column('openInterestUsdt')[five] = rounded('openInterestUsdt', quote.openInterestContracts);
      series.column('volume24hUsdt')[five] = rounded('volume24hUsdt', quote.volume24hUsd);
    }
    const day = dayStartMs / DAY_MS;
    await storage.db
      .insertInto('tape_days')
      .values(encodeDay(series).map((block, part) => ({ id: tapeDayId(day, id, part), block })))
      .execute();
  }
}
