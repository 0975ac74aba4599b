import type { Collector } from '../../wiring/collector.ts';
import type { Collecting } from '../../wiring/market/collecting.ts';
import type { Engine } from '../../wiring/market/engine.ts';

/** The parts of the collector that the demo fills with the simulator's past. */
export type CollectorParts = Pick<Collecting, 'context' | 'history' | 'collectorOptions'> &
  Pick<Engine, 'freezer' | 'prices' | 'publisher' | 'spreads' | 'listings' | 'samples' | 'backtest'>;

export function partsOf({ collecting }: Collector): CollectorParts {
  const engine = collecting.engine();
  if (!engine) throw new Error('the collector of the demo is not active');
  const { context, history, collectorOptions } = collecting;
  const { freezer, prices, publisher, spreads, listings, samples, backtest } = engine;
  return {
    ...{ context, history, collectorOptions },
    ...{ freezer, prices, publisher, spreads, listings, samples, backtest },
  };
}
