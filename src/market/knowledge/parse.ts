import type { BookTop, Contract } from '../../venues/observations.ts';
import type { DatedFigure, DatedInterest, LatestFigures } from '../figures.ts';
import type { ContractValues, ListedPart, VenueKnowledge } from '../intake.ts';
import type { Roll } from '../interval.ts';
import { flag, listOf, nullable, number, objectOf, oneOf, optional, type Parse, text } from './shape.ts';

const numberOrNull = nullable(number);

const contract = objectOf<Contract>({
  venueSymbol: text,
  venueId: optional(text) as Parse<string>,
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
  takerFeePct: optional(number) as Parse<number>,
  rateCapPct: optional(number) as Parse<number>,
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

const datedFigure = optional(objectOf<DatedFigure>({ value: number, atMs: number })) as Parse<DatedFigure>;

const datedInterest = objectOf<DatedInterest>({
  value: number,
  atMs: number,
  count: optional(number) as Parse<number>,
  isStreamed: optional(flag) as Parse<true>,
  otherSource: datedFigure,
});

const latestFigures = objectOf<LatestFigures>({
  markPrice: datedFigure,
  indexPrice: datedFigure,
  openInterestUsdt: optional(datedInterest) as Parse<DatedInterest>,
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
  provenIntervalHours: (value, name) => numberOrNull(value ?? null, name),
  intervalHours: numberOrNull,
  intervalAtMs: number,
  intervalSinceMs: number,
  top: nullable(bookTop),
  topAtMs: number,
  volume24hUsdt: numberOrNull,
  // Nor this.
  volumeCount: (value, name) => numberOrNull(value ?? null, name),
  referencePrice: numberOrNull,
  figures: optional(latestFigures) as Parse<LatestFigures>,
});

export const parseKnowledge: Parse<VenueKnowledge> = objectOf<VenueKnowledge>({
  parts: listOf(listedPart),
  values: listOf(contractValues),
});
