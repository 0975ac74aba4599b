import type { Batch, DayVolume, MarketFigures } from '../observations.ts';

/** How often a figure of a venue counts a position or a trade. `not given`: no call that is read has the figure. */
export type Sides = 'one side' | 'both sides' | 'unknown' | 'not given';

/** What it may be set to by an operator. */
export type KnownSides = Extract<Sides, 'one side' | 'both sides'>;

export const COUNTED_FIGURES = ['openInterest', 'volume'] as const;
export type CountedFigure = (typeof COUNTED_FIGURES)[number];

export const FIGURE_WORDS: Readonly<Record<CountedFigure, string>> = {
  openInterest: 'open interest',
  volume: '24 h volume',
};

export interface SidesFact {
  sides: Sides;
  /** What shows it, as a clause. Empty: the figure is not given. */
  evidence: string;
  /** Calendar day of the evidence. */
  date: string;
  /** An address, or what was recorded. */
  source: string;
  /**
   * The venue prints fewer digits than it counts in, so its last digits are even and odd by chance, whatever it counts. The audit
   * does not judge them.
   */
  isPrintedRounded?: true;
}

/** What the open interest and the 24 h volume of a venue count, as it sends them. */
export type SidesFacts = Readonly<Record<CountedFigure, SidesFact>>;

type Evidence = [evidence: string, date: string, source: string];

const factOf = (sides: Sides, [evidence, date, source]: Evidence): SidesFact => ({
  sides,
  evidence,
  date,
  source,
});

export const oneSide = (...evidence: Evidence): SidesFact => factOf('one side', evidence);
export const bothSides = (...evidence: Evidence): SidesFact => factOf('both sides', evidence);
export const unknownSides = (...evidence: Evidence): SidesFact => factOf('unknown', evidence);
export const NOT_GIVEN: SidesFact = factOf('not given', ['', '', '']);

/** What an operator decided about a venue. */
export type ChosenSides = Partial<Record<CountedFigure, KnownSides>>;

/** What a figure counts: the operator's word goes before that of the release. */
export function sidesOf(facts: SidesFacts, chosen: ChosenSides, figure: CountedFigure): Sides {
  return chosen[figure] ?? facts[figure].sides;
}

/** A batch as the venue sent it, with every position and every trade counted once. What is unknown is taken for one side. */
export function countedOnce(batch: Batch, facts: SidesFacts, chosen: ChosenSides = {}): Batch {
  const isTwice = (figure: CountedFigure) => sidesOf(facts, chosen, figure) === 'both sides';
  if (!COUNTED_FIGURES.some(isTwice)) return batch;
  return {
    ...batch,
    ...(isTwice('openInterest') ? { marketFigures: batch.marketFigures.map(halfInterest) } : {}),
    ...(isTwice('volume') ? { dayVolumes: batch.dayVolumes.map(halfVolume) } : {}),
  };
}

function halfInterest(figures: MarketFigures): MarketFigures {
  const { openInterestUsdt, openInterestCount } = figures;
  if (openInterestUsdt === null) return figures;
  return {
    ...figures,
    openInterestUsdt: openInterestUsdt / 2,
    ...(openInterestCount === undefined ? {} : { openInterestCount: openInterestCount / 2 }),
  };
}

function halfVolume(volume: DayVolume): DayVolume {
  const { volume24hUsdt, volumeCount } = volume;
  return {
    ...volume,
    volume24hUsdt: volume24hUsdt / 2,
    ...(volumeCount === undefined ? {} : { volumeCount: volumeCount / 2 }),
  };
}
