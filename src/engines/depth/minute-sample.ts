import { type MinuteSample, PRICE_COLUMNS } from '../../history/samples/model.ts';
import type { SampleStore } from '../../history/samples/store.ts';
import type { PricedLeg } from './sampler.ts';

/** The sample of a minute from priced legs, sorted by contract id. */
export async function minuteSample(
  store: SampleStore,
  minute: number,
  priced: readonly PricedLeg[],
): Promise<MinuteSample> {
  const ids = await store.idsOf(priced);
  const order = ids.map((_, i) => i).sort((a, b) => (ids[a] as number) - (ids[b] as number));
  const sample: MinuteSample = {
    minute,
    ids: new Uint32Array(order.length),
    prices: new Float32Array(order.length * PRICE_COLUMNS),
    volumesUsdt: new Float32Array(order.length),
  };
  for (const [place, i] of order.entries()) {
    const leg = priced[i] as PricedLeg;
    sample.ids[place] = ids[i] as number;
    sample.prices.set(leg.prices, place * PRICE_COLUMNS);
    sample.volumesUsdt[place] = leg.volumeUsdt;
  }
  return sample;
}
