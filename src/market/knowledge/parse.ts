import {
  flag,
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  type Parse,
  text,
  withDefault,
} from '../../base/parsing.ts';
import type { BookTop, Contract } from '../../venues/observations.ts';
import type { DatedFigure, DatedIndex, DatedInterest, LatestFigures } from '../figures.ts';
import type { ContractValues, ListedPart, VenueKnowledge } from '../intake.ts';
import type { Roll } from '../interval.ts';

const numberOrNull = nullable(number);

const contract = objectOf<Contract>({
  venueSymbol: text,
  venueId: optional(text),
  base: text,
  quote: text,
  settle: text,
  isInverse: flag,
  contractSize: number,
  status: oneOf('preopen', 'trading', 'halted', 'delisting', 'delisted'),
  venueStatus: text,
  assetClass: oneOf('crypto', 'stock', 'commodity', 'index', 'forex'),
  listedAtMs: numberOrNull,
  delistsAtMs: numberOrNull,
  maxLeverage: numberOrNull,
  takerFeePct: optional(number),
  rateCapPct: optional(number),
  intervalHours: numberOrNull,
});

const bookTop = objectOf<BookTop>({
  venueSymbol: text,
  bidPrice: number,
  bidSize: numberOrNull,
  askPrice: number,
  askSize: numberOrNull,
  venueTimeMs: numberOrNull,
});

const listedPart = objectOf<ListedPart>({ part: text, contracts: listOf(contract), atMs: number });

const roll = objectOf<Roll>({ fromMs: number, toMs: number, atMs: number });

const datedFigure = optional(objectOf<DatedFigure>({ value: number, atMs: number }));

const storedIndex = objectOf<DatedFigure & Partial<DatedIndex>>({
  value: number,
  atMs: number,
  // An earlier version did not store it: then the value counts from its last confirmation.
  sinceMs: optional(number),
  beforeStoodMs: optional(number),
});

const datedIndex: Parse<DatedIndex> = (value, path) => {
  const index = storedIndex(value, path);
  return { ...index, sinceMs: index.sinceMs ?? index.atMs };
};

const datedInterest = objectOf<DatedInterest>({
  value: number,
  atMs: number,
  count: optional(number),
  isStreamed: optional(oneOf(true)),
  otherSource: datedFigure,
});

const latestFigures = objectOf<LatestFigures>({
  markPrice: datedFigure,
  indexPrice: optional(datedIndex),
  openInterestUsdt: optional(datedInterest),
  marketClosed: optional(objectOf({ value: flag, atMs: number })),
});

const contractValues = objectOf<ContractValues>({
  venueSymbol: text,
  ratePct: numberOrNull,
  rateAtMs: number,
  rateReceivedAtMs: number,
  rateVenueTimeMs: numberOrNull,
  nextFundingAtMs: numberOrNull,
  nextSinceMs: number,
  rolls: listOf(roll),
  // An earlier version did not store it.
  provenIntervalHours: withDefault(numberOrNull, null),
  intervalHours: numberOrNull,
  intervalAtMs: number,
  intervalSinceMs: number,
  top: nullable(bookTop),
  topAtMs: number,
  volume24hUsdt: numberOrNull,
  // Nor this.
  volumeCount: withDefault(numberOrNull, null),
  referencePrice: numberOrNull,
  figures: optional(latestFigures),
});

export const parseKnowledge: Parse<VenueKnowledge> = objectOf<VenueKnowledge>({
  parts: listOf(listedPart),
  values: listOf(contractValues),
});
