import {
  COUNTED_FIGURES,
  type CountedFigure,
  FIGURE_WORDS,
  type SidesFact,
  type SidesFacts,
} from './sides.ts';

/** A figure, what it counts at the venue, and how that is known. */
export interface SidesText {
  figure: CountedFigure;
  sentence: string;
  /** Of the evidence: a day, a month or a year. */
  date: string;
  source: string;
}

/** What the open interest and the volume of a venue count, for people. A figure that no call has is left out. */
export function sidesTexts(facts: SidesFacts): SidesText[] {
  return COUNTED_FIGURES.filter((figure) => facts[figure].sides !== 'not given').map((figure) => {
    const { date, source } = facts[figure];
    return { figure, sentence: sentenceOf(figure, facts[figure]), date, source };
  });
}

function sentenceOf(figure: CountedFigure, { sides, evidence }: SidesFact): string {
  const words = FIGURE_WORDS[figure];
  const said = evidence.charAt(0).toUpperCase() + evidence.slice(1);
  const name = words.charAt(0).toUpperCase() + words.slice(1);
  if (sides === 'both sides')
    return `${name} counts both sides at the venue, so half of it is published. ${said}.`;
  if (sides === 'one side') return `${name} counts one side. ${said}.`;
  return `Whether ${words} counts one side or both is not known; it is published as it comes. ${said}.`;
}
