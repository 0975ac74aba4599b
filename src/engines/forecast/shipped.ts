import type { HorizonModel } from './model.ts';

/** Written by scripts/forecast-shipped.ts: the models of a service that has too little history to fit its own. */
export const SHIPPED_MODELS: {
  readonly version: string;
  /** The last day of the prints that they were fitted on. */
  readonly date: string;
  readonly pairs: readonly HorizonModel[];
  /** Of one contract against holding nothing. */
  readonly legs: readonly HorizonModel[];
} = {
  version: '2',
  date: '2026-02-19',
  pairs: [
    {
      days: 1,
      kind: 'shipped',
      weights: [0, 0, 0, 0.76],
      quantiles: [-1.88, -1.02, -0.72, -0.47, -0.3, -0.16, 0, 0.15, 0.34, 0.55, 0.9, 1.16, 2.06],
      featureLimit: 2,
      jumpShare: 0.25,
    },
    {
      days: 7,
      kind: 'shipped',
      weights: [0, 0, 0, 0.73],
      quantiles: [-1.81, -0.75, -0.53, -0.33, -0.2, -0.09, 0, 0.12, 0.23, 0.36, 0.57, 0.77, 1.71],
      featureLimit: 2,
      jumpShare: 0.25,
    },
    {
      days: 30,
      kind: 'shipped',
      weights: [0, 0, 0, 0.61],
      quantiles: [-1.46, -0.55, -0.38, -0.22, -0.11, -0.04, 0.03, 0.1, 0.18, 0.28, 0.43, 0.61, 1.27],
      featureLimit: 2,
      jumpShare: 0.25,
    },
  ],
  legs: [
    {
      days: 1,
      kind: 'shipped',
      weights: [0, 0, 0, 0.76],
      quantiles: [-1.87, -0.96, -0.71, -0.47, -0.27, -0.1, 0.06, 0.21, 0.34, 0.47, 0.69, 0.94, 1.63],
      featureLimit: 2,
      jumpShare: 0.25,
    },
    {
      days: 7,
      kind: 'shipped',
      weights: [0, 0, 0, 0.63],
      quantiles: [-3.55, -0.82, -0.51, -0.31, -0.18, -0.07, 0.03, 0.13, 0.26, 0.4, 0.57, 0.73, 1.19],
      featureLimit: 2,
      jumpShare: 0.25,
    },
    {
      days: 30,
      kind: 'shipped',
      weights: [0, 0, 0, 0.48],
      quantiles: [-4.41, -1, -0.56, -0.27, -0.17, -0.06, 0.04, 0.14, 0.23, 0.35, 0.5, 0.61, 1],
      featureLimit: 2,
      jumpShare: 0.25,
    },
  ],
};
