import type { DatedFigure, DatedInterest, LatestFigures } from '../market/figures.ts';
import type { ContractValues, ListedPart, VenueKnowledge } from '../market/intake.ts';
import type { Roll } from '../market/interval.ts';
import type {
  Announcement,
  Batch,
  BookTop,
  Contract,
  ContractList,
  DayVolume,
  Depth,
  FundingQuote,
  FundingSchedule,
  MarketFigures,
} from '../venues/observations.ts';
import {
  flag,
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  type Parse,
  pairOf,
  text,
} from './shape.ts';

const numberOrNull = nullable(number);
const numberOrUnsaid = optional(numberOrNull);

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

const contractList = objectOf<ContractList>({ part: text, contracts: listOf(contract) });

const fundingQuote = objectOf<FundingQuote>({
  venueSymbol: text,
  ratePct: number,
  nextFundingAtMs: numberOrUnsaid,
  intervalHours: numberOrUnsaid,
  venueTimeMs: numberOrNull,
});

const fundingSchedule = objectOf<FundingSchedule>({
  venueSymbol: text,
  intervalHours: numberOrUnsaid,
  nextFundingAtMs: numberOrUnsaid,
});

const dayVolume = objectOf<DayVolume>({
  venueSymbol: text,
  volume24hUsdt: number,
  referencePrice: numberOrNull,
  volumeCount: optional(number) as Parse<number>,
});

const figures = objectOf<MarketFigures>({
  venueSymbol: text,
  markPrice: numberOrNull,
  indexPrice: numberOrNull,
  openInterestUsdt: numberOrNull,
  openInterestCount: optional(number) as Parse<number>,
});

const levels = listOf(pairOf(number));
const depth = objectOf<Depth>({ venueSymbol: text, bids: levels, asks: levels, venueTimeMs: numberOrNull });

const announcement = objectOf<Announcement>({
  id: text,
  title: text,
  body: nullable(text),
  category: text,
  url: nullable(text),
  publishedAtMs: number,
});

/** The part of a batch that the engine uses. Empty lists are not sent. */
export type SentBatch = Partial<Omit<Batch, 'settlements' | 'rejected' | 'ignored'>>;

export const parseBatch: Parse<SentBatch> = objectOf<SentBatch>({
  contractList: optional(contractList) as Parse<ContractList>,
  fundingQuotes: optional(listOf(fundingQuote)) as Parse<FundingQuote[]>,
  fundingSchedules: optional(listOf(fundingSchedule)) as Parse<FundingSchedule[]>,
  bookTops: optional(listOf(bookTop)) as Parse<BookTop[]>,
  dayVolumes: optional(listOf(dayVolume)) as Parse<DayVolume[]>,
  marketFigures: optional(listOf(figures)) as Parse<MarketFigures[]>,
  depths: optional(listOf(depth)) as Parse<Depth[]>,
  announcements: optional(listOf(announcement)) as Parse<Announcement[]>,
  isStreamed: optional(flag) as Parse<true>,
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
  // A process of an earlier version does not send it.
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
