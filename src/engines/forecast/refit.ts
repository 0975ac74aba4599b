import { setImmediate as pause } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import type { SettledPrints } from '../arbitrage/hours.ts';
import { ContractDays, nothingHeld } from './contract-days.ts';
import { fitHorizon } from './fit.ts';
import { HORIZONS_DAYS, type HorizonModel } from './model.ts';
import { type ForecastModels, SHIPPED } from './models.ts';
import { observationsOf, type PairLegs } from './observations.ts';

/** Days of prints that a fit reads. */
const FIT_DAYS = 96;
/** Of more pairs or contracts a fit takes so many, evenly: weights are common to all. */
export const MOST_SAMPLED = 600;

export interface RefitSource {
  /** The contracts of each pair, long and short. */
  pairs: readonly (readonly [string, string])[];
  /** Settled prints after a time, oldest first. */
  printsAfter(contract: string, timeMs: number): SettledPrints | null;
}

/**
 * Fits all models on what had settled by the last midnight UTC. It takes a second or two at full size, so it pauses between its
 * parts: the collector goes on reading venues.
 */
export async function refit({ pairs, printsAfter }: RefitSource, asOfMs: number): Promise<ForecastModels> {
  const today = Math.floor(asOfMs / DAY_MS);
  const sampled = evenly(pairs, MOST_SAMPLED);
  const contracts = [...new Set(sampled.flat())];
  const prints = new Map<string, SettledPrints>();
  let firstMs = Number.POSITIVE_INFINITY;
  for (const contract of contracts) {
    const own = printsAfter(contract, (today - FIT_DAYS) * DAY_MS);
    if (!own || own.minutes.length === 0) continue;
    prints.set(contract, own);
    firstMs = Math.min(firstMs, (own.minutes[0] as number) * MINUTE_MS);
  }
  if (prints.size === 0) return SHIPPED;
  const firstDay = Math.floor(firstMs / DAY_MS);
  const days = new Map(
    [...prints].map(([contract, own]) => [contract, new ContractDays(own, firstDay, today)]),
  );
  const pairLegs = sampled.flatMap(([longKey, shortKey]): PairLegs[] => {
    const [long, short] = [days.get(longKey), days.get(shortKey)];
    return long && short ? [{ long, short }] : [];
  });
  const nothing = nothingHeld(firstDay, today);
  const alone = evenly([...days.values()], MOST_SAMPLED).map((short) => ({ long: nothing, short }));
  const place = today - firstDay;
  const fitted = {
    version: SHIPPED.version,
    atMs: today * DAY_MS,
    pairs: await fitAll(pairLegs, place, SHIPPED.pairs),
    legs: await fitAll(alone, place, SHIPPED.legs),
  };
  return fitted.pairs.every(({ kind }) => kind === 'shipped') ? SHIPPED : fitted;
}

async function fitAll(
  held: readonly PairLegs[],
  place: number,
  shipped: readonly HorizonModel[],
): Promise<HorizonModel[]> {
  await pause();
  const rows = observationsOf(held, place + 1);
  const models: HorizonModel[] = [];
  for (const horizon of HORIZONS_DAYS.keys()) {
    await pause();
    models.push(fitHorizon(rows, horizon, place, shipped[horizon] as HorizonModel));
  }
  await pause();
  return models;
}

function evenly<Item>(list: readonly Item[], most: number): Item[] {
  const step = Math.max(1, list.length / most);
  return Array.from({ length: Math.min(list.length, most) }, (_, i) => list[Math.floor(i * step)] as Item);
}
