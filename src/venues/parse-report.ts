import {
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  type Parse,
  recordOf,
  text,
} from '../base/parsing.ts';
import type { ChosenSides } from './counting/sides.ts';
import type { SourceHealth, VenueReport } from './health.ts';

const source = objectOf<SourceHealth>({
  name: text,
  lastGoodAtMs: nullable(number),
  failuresInARow: number,
  lastFailure: nullable(text),
});

const budget = objectOf<VenueReport['budgets'][number]>({
  name: text,
  spent: number,
  capacity: number,
  windowSeconds: number,
  usedPerMinute: number,
  limitPerMinute: number,
});

const knownSides = oneOf('one side', 'both sides');
const chosenSides = objectOf<ChosenSides>({
  openInterest: optional(knownSides),
  volume: optional(knownSides),
});

/** A report as another process or the admin port sent it. */
export const parseVenueReport: Parse<VenueReport> = objectOf<VenueReport>({
  exchange: text,
  slug: text,
  hasEnded: optional(oneOf(true)),
  refusesAddress: optional(oneOf(true)),
  contracts: number,
  lastGoodAtMs: nullable(number),
  sources: listOf(source),
  rejected: recordOf(number),
  ignored: recordOf(number),
  callsPerMinute: number,
  budgets: listOf(budget),
  quarantined: recordOf(number),
  chosenSides: optional(chosenSides),
});
