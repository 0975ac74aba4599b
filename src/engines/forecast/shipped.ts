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
  version: '1',
  date: '2026-02-19',
  pairs: [
    {
      days: 1,
      kind: 'shipped',
      weights: [0, 0, 0, 0.76],
      quantiles: [-2.81, -1.43, -0.97, -0.6, -0.38, -0.19, 0, 0.19, 0.43, 0.7, 1.14, 1.54, 2.86],
    },
    {
      days: 7,
      kind: 'shipped',
      weights: [0, 0, 0, 0.73],
      quantiles: [-2.56, -1.02, -0.69, -0.42, -0.25, -0.12, 0, 0.14, 0.29, 0.46, 0.73, 0.99, 2.36],
    },
    {
      days: 30,
      kind: 'shipped',
      weights: [0, 0, 0, 0.61],
      quantiles: [-2.31, -0.73, -0.5, -0.29, -0.14, -0.05, 0.04, 0.12, 0.23, 0.35, 0.52, 0.77, 1.64],
    },
  ],
  legs: [
    {
      days: 1,
      kind: 'shipped',
      weights: [0, 0, 0, 0.76],
      quantiles: [-3.07, -1.28, -0.9, -0.57, -0.33, -0.12, 0.07, 0.24, 0.4, 0.55, 0.85, 1.18, 2.62],
    },
    {
      days: 7,
      kind: 'shipped',
      weights: [0, 0, 0, 0.62],
      quantiles: [-4.11, -1.07, -0.65, -0.37, -0.21, -0.08, 0.04, 0.16, 0.31, 0.48, 0.7, 0.93, 1.91],
    },
    {
      days: 30,
      kind: 'shipped',
      weights: [0, 0, 0, 0.47],
      quantiles: [-6.57, -1.16, -0.66, -0.33, -0.2, -0.08, 0.06, 0.18, 0.28, 0.41, 0.6, 0.77, 1.39],
    },
  ],
};
