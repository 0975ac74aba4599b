/**
 * Writes src/engines/forecast/shipped.ts: the weights that a service uses until it has history of its own, fitted on a file of settled
 * prints. node scripts/forecast-shipped.ts FILE VERSION
 */
import { writeFileSync } from 'node:fs';
import { readPrints } from '../src/commands/forecasts/prints-file.ts';
import { ContractDays, nothingHeld } from '../src/engines/forecast/contract-days.ts';
import { fitRows, quantilesOf, scaledErrors } from '../src/engines/forecast/fit.ts';
import { fitWeights } from '../src/engines/forecast/least-squares.ts';
import {
  FEATURE_COUNT,
  FEATURE_LIMIT,
  HORIZONS_DAYS,
  type HorizonModel,
  JUMP_SHARE,
} from '../src/engines/forecast/model.ts';
import { observationsOf, type PairLegs } from '../src/engines/forecast/observations.ts';
import { printPairs } from '../src/engines/forecast/print-pairs.ts';

const TARGET = new URL('../src/engines/forecast/shipped.ts', import.meta.url);
const DAY_MS = 86_400_000;
const MEAN_30D = FEATURE_COUNT - 1;

const [file, version = '2'] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node scripts/forecast-shipped.ts FILE VERSION');
const { contracts } = await readPrints(file);
const { pairs, firstDay, places } = printPairs(contracts);
const lastDay = firstDay + places - 1;
const nothing = nothingHeld(firstDay, lastDay);
const legs = contracts.map((prints) => ({
  long: nothing,
  short: new ContractDays(prints, firstDay, lastDay),
}));

/** Only the 30-day mean has a weight: with little history the other weights of another market mislead. */
function shippedModels(held: readonly PairLegs[]): HorizonModel[] {
  const rows = observationsOf(held, places);
  return HORIZONS_DAYS.map((days, horizon) => {
    const chosen = fitRows(rows, horizon, places - 1 - days);
    const means = {
      ...chosen,
      features: chosen.features.map((value, i) => (i % FEATURE_COUNT === MEAN_30D ? value : 0)),
    };
    const weights = fitWeights(means, [0, 0, 0, 0], 0);
    const model: HorizonModel = {
      ...{ days, kind: 'shipped', weights: weights.map(rounded), quantiles: [] },
      ...{ featureLimit: FEATURE_LIMIT, jumpShare: JUMP_SHARE },
    };
    return { ...model, quantiles: quantilesOf(scaledErrors(model, chosen)).map(rounded) };
  });
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

const models = {
  version,
  date: new Date(lastDay * DAY_MS).toISOString().slice(0, 10),
  pairs: shippedModels(pairs),
  legs: shippedModels(legs),
};
writeFileSync(
  TARGET,
  `import type { HorizonModel } from './model.ts';

/** Written by scripts/forecast-shipped.ts: the models of a service that has too little history to fit its own. */
export const SHIPPED_MODELS: {
  readonly version: string;
  /** The last day of the prints that they were fitted on. */
  readonly date: string;
  readonly pairs: readonly HorizonModel[];
  /** Of one contract against holding nothing. */
  readonly legs: readonly HorizonModel[];
} = ${JSON.stringify(models)};
`,
);
