import { PLANS } from '../../src/accounts/plans.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { COST_SIZES_USD, type ContractCosts } from '../../src/history/depth/cost-codec.ts';
import { DepthCostStore } from '../../src/history/depth/store.ts';
import { type MinuteSample, minuteOf, PRICE_COLUMNS } from '../../src/history/samples/model.ts';
import type { Contract } from '../../src/venues/observations.ts';
import { collectOnce, type Running, type RunOptions, runService } from '../support/service.ts';
import { keepTape } from './made-tape.ts';

export interface FilledMarket extends Running {
  clock: ManualClock;
}

/** A market that stands still does so at this time, unless a test chooses another. */
export const HELD_AT_MS = Date.UTC(2026, 9, 12, 10, 5, 30);
const SAMPLED_MINUTES = 400;
const SAMPLED_COINS = ['BTC', 'ETH', 'PEPE'];
const HISTORY_DAYS = 40;
const PRICED_DAYS = 8;
const COST_DAYS = 7;
/** Hours of the day, UTC, at which the stored costs are highest; they are lowest half a day later. */
const DEAREST_HOUR = 3.5;

/** The whole service with something to show on every page, for visitors too: two snapshots, prints, samples, notices. */
export async function filledMarket({
  heldAtMs,
  ...options
}: RunOptions & {
  /**
   * The time at which the clock stands still, so that every figure is the same in every run. By default it is now, which
   * the clock of a browser needs that nobody has set.
   */
  heldAtMs?: number;
} = {}): Promise<FilledMarket> {
  const nowMs = heldAtMs ?? Date.now();
  const clock = new ManualClock(nowMs - (PLANS.demo.delaySeconds + 60) * 1000);
  // A slow machine must not make pages answer that there is too much work.
  const settings = { SHED_LOAD: 'false', ...options.settings };
  const running = await runService({ ...options, settings, clock });
  /** On a held clock everything that a venue says is of the same time, so it can be complete. */
  const hasAllTops = () => {
    const trading = running.service.context.market
      .states()
      .filter(({ contract }) => contract.status === 'trading');
    return trading.every(({ topAtMs }) => topAtMs === clock.nowMs());
  };
  const held = () => ({
    withBooks: true,
    ...(heldAtMs === undefined ? {} : { latestMs: clock.nowMs(), hasCollected: hasAllTops }),
  });
  try {
    const { service } = running;
    await keepPrices(running);
    await collectOnce(running, held());
    await service.listings.publish(clock.nowMs());
    clock.setMs(nowMs);
    await collectOnce(running, held());
    await service.listings.publish(clock.nowMs());
    await keepPrints(running);
    await keepSamples(running);
    await keepCosts(running);
    await keepTape(running);
    await service.backtest.catchUp();
    await service.audit.refresh();
  } catch (error) {
    await running.stop();
    throw error;
  }
  return { ...running, clock };
}

/**
 * Settled payments of BTC on two venues, every eight hours, of the same shape but not the same height. Pages show the
 * most traded contract of a venue, which is not BTC-USDT at every time of day: all that may be it have them.
 */
async function keepPrints({ service, clock }: Running): Promise<void> {
  const fromMs = Math.floor((clock.nowMs() - HISTORY_DAYS * DAY_MS) / DAY_MS) * DAY_MS;
  for (const [place, exchange] of ['Binance', 'Bybit'].entries()) {
    const prints = [];
    for (let timeMs = fromMs; timeMs <= clock.nowMs() - HOUR_MS; timeMs += 8 * HOUR_MS) {
      const wave = Math.sin(timeMs / (3 * DAY_MS)) * (place + 1);
      prints.push({ minute: timeMs / MINUTE_MS, ratePct: Number((0.01 * wave + 0.005).toFixed(6)) });
    }
    for (const { venueSymbol, quote } of mostTraded(service, exchange)) {
      await service.history.keeper.submit({
        names: {
          exchange,
          venueSymbol,
          symbol: `BTC-${quote}`,
          coin: 'BTC',
          isInverse: false,
          listedAtMs: null,
        },
        prints,
        walked: null,
        onConflict: 'replace',
      });
    }
  }
}

/** BTC-USDT, and other linear contracts of BTC that are traded about as much or more. */
function mostTraded({ context }: Running['service'], exchange: string): Contract[] {
  const states = context.market
    .states()
    .filter(
      ({ venue, contract: { base, isInverse } }) =>
        venue.facts.exchange === exchange && base === 'BTC' && !isInverse,
    );
  const usdt = states.find(({ contract }) => contract.quote === 'USDT');
  if (!usdt) throw new Error(`${exchange} has no BTC-USDT`);
  const leastUsdt = 0.9 * (usdt.volume24hUsdt ?? 0);
  return states
    .filter((one) => one === usdt || (one.volume24hUsdt ?? 0) > leastUsdt)
    .map(({ contract }) => contract);
}

/** Prices that swing round each other, each venue in its own time: every pair opens and closes again and again. */
async function keepSamples({ service, clock }: Running): Promise<void> {
  const { store } = service.samples;
  const names = service.context.venues.flatMap(({ facts: { exchange } }) =>
    SAMPLED_COINS.map((coin) => ({ exchange, venueSymbol: `${coin}USDT`, coin, quote: 'USDT' })),
  );
  const ids = Uint32Array.from(await store.idsOf(names));
  const toMinute = minuteOf(clock.nowMs());
  for (let minute = toMinute - SAMPLED_MINUTES + 1; minute <= toMinute; minute++) {
    const prices = new Float32Array(ids.length * PRICE_COLUMNS);
    for (const place of ids.keys()) {
      const mid = 100 + 0.6 * Math.sin((minute / (40 + 9 * place)) * 2 * Math.PI);
      const [ask, bid] = [mid + 0.005, mid - 0.005];
      prices.set([ask, ask, ask, bid, bid, bid], place * PRICE_COLUMNS);
    }
    const volumesUsdt = new Float32Array(ids.length).fill(2_000_000);
    await store.add({ minute, ids, prices, volumesUsdt } satisfies MinuteSample);
  }
}

/**
 * What orders of BTC cost on every venue, twice an hour up to the last one. They swing with the hour of the day. On Bybit
 * 250,000 USD never fit.
 */
async function keepCosts({ service: { samples, context }, clock }: Running): Promise<void> {
  const store = new DepthCostStore(context.storage);
  const contracts = context.market
    .states()
    .filter(({ contract: { base, isInverse } }) => base === 'BTC' && !isInverse)
    .map(({ venue, contract: { venueSymbol, quote } }) => ({
      ...{ exchange: venue.facts.exchange, venueSymbol },
      ...{ coin: 'BTC', quote },
    }));
  const ids = await samples.store.idsOf(contracts);
  const byVenue = Map.groupBy(contracts.entries(), ([, { exchange }]) => exchange);
  const now = minuteOf(clock.nowMs());
  for (let minute = now - COST_DAYS * 1440 - (now % 30) + 30; minute < now - 60; minute += 30) {
    const costs = [...byVenue].map(([exchange, of]): [string, ContractCosts[]] => [
      exchange,
      of.map(([place]) => ({ id: ids[place] ?? 0, costsPct: costsOfBtc(minute, exchange) })),
    ]);
    await store.save(minute, new Map(costs), null);
  }
}

/** Of a buyer for each size, then of a seller, who pays a tenth more. */
export function costsOfBtc(minute: number, exchange: string): Float64Array {
  const swing = 1 + 0.5 * Math.cos(((minute / 60 - DEAREST_HOUR) / 24) * 2 * Math.PI);
  const buying = COST_SIZES_USD.map((sizeUsd) =>
    exchange === 'Bybit' && sizeUsd === 250_000 ? Number.NaN : 0.0002 * Math.sqrt(sizeUsd) * swing,
  );
  return Float64Array.from([...buying, ...buying.map((pct) => 1.1 * pct)]);
}

/** What BTC cost on Binance every four hours, and 24 hours ago. Of other coins no price of the past is stored. */
async function keepPrices({ service: { prices }, clock }: Running): Promise<void> {
  const now = minuteOf(clock.nowMs());
  const dayAgo = now - DAY_MS / MINUTE_MS;
  for (let minute = now - PRICED_DAYS * 1440 - (now % 10); minute < now - 60; minute += 10) {
    if (minute % 240 !== 0 && Math.abs(minute - dayAgo) > 40) continue;
    const price = btcPriceAt(minute);
    await prices.store.save(
      minute,
      [{ coin: 'BTC', exchange: 'Binance', venueSymbol: 'BTCUSDT', price }],
      null,
    );
  }
}

/** The stored price of BTC. */
export function btcPriceAt(minute: number): number {
  return Number((90_000 * (1 + 0.04 * Math.sin(minute / 1100))).toFixed(2));
}
