import {
  type ChosenSides,
  COUNTED_FIGURES,
  type CountedFigure,
  FIGURE_WORDS,
  type KnownSides,
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
export function sidesTexts(facts: SidesFacts, chosen: ChosenSides = {}): SidesText[] {
  return COUNTED_FIGURES.filter((figure) => facts[figure].sides !== 'not given').map((figure) => {
    const { date, source } = facts[figure];
    return { figure, sentence: sentenceOf(figure, facts[figure], chosen[figure]), date, source };
  });
}

function sentenceOf(
  figure: CountedFigure,
  { sides, evidence }: SidesFact,
  chosen: KnownSides | undefined,
): string {
  const name = capitalized(FIGURE_WORDS[figure]);
  if (chosen !== undefined && chosen !== sides) {
    const effect = chosen === 'both sides' ? 'half of it is published' : 'it is published as it comes';
    const release = sides === 'unknown' ? 'does not know' : `says ${sides}`;
    return `${name} counts ${chosen} at the venue, as the operator of this service decided, so ${effect}. The release ${release}: ${evidence}.`;
  }
  const said = `${capitalized(evidence)}.`;
  if (sides === 'both sides')
    return `${name} counts both sides at the venue, so half of it is published. ${said}`;
  if (sides === 'one side') return `${name} counts one side. ${said}`;
  return `Whether ${FIGURE_WORDS[figure]} counts one side or both is not known; it is published as it comes. ${said}`;
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
