/** The class of a series: its colour in both themes. */
export type Tone = 's1' | 's2' | 's3' | 's4' | 's5' | 's6' | 's7' | 's8';
/** 0: a solid line, 1: dashed, 2: dotted, 3: dash and dot, 4: long dashes. */
export type Dash = 0 | 1 | 2 | 3 | 4;
export interface SeriesStyle {
  tone: Tone;
  dash: Dash;
}

const TONES: readonly Tone[] = ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'];
const DASHES: readonly Dash[] = [0, 1, 2, 3, 4];
const SERIES_PER_DASH = 3;
/** Tones that thin lines make hard to tell apart: they never have the same dash. */
const ALIKE: Partial<Record<Tone, readonly Tone[]>> = {
  s1: ['s6'],
  s2: ['s5', 's7'],
  s3: ['s6'],
  s4: ['s7'],
  s5: ['s2'],
  s6: ['s1', 's3'],
  s7: ['s2', 's4'],
};

/** The large venues have tones of their own; the others take the one that their name gives them. */
const VENUE_TONES: ReadonlyMap<string, Tone> = new Map([
  ['Hyperliquid', 's1'],
  ['KuCoin', 's2'],
  ['Binance', 's3'],
  ['Bybit', 's4'],
  ['Bitget', 's5'],
  ['Gate', 's6'],
  ['Deribit', 's7'],
  ['OKX', 's8'],
]);

function preferredTone(name: string): Tone {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return VENUE_TONES.get(name) ?? TONES[sum % TONES.length] ?? 's1';
}

/**
 * Styles for the series of one chart: a venue keeps its tone wherever it is drawn, unless another of the first eight has
 * it already. From the fourth series on lines are dashed, then dotted, so that colour is not the only difference. No two
 * of forty series share tone and dash.
 */
export function seriesTones(names: readonly string[]): ReadonlyMap<string, SeriesStyle> {
  const made = new Map<string, SeriesStyle>();
  const tones = new Set<Tone>();
  const taken = new Set<string>();
  const isFree = (tone: Tone, dash: Dash) => !taken.has(`${tone} ${dash}`);
  const isClear = (tone: Tone, dash: Dash) =>
    isFree(tone, dash) && (ALIKE[tone] ?? []).every((other) => isFree(other, dash));
  for (const [i, name] of names.entries()) {
    const wanted = preferredTone(name);
    const tone =
      tones.has(wanted) && tones.size < TONES.length
        ? (TONES.find((one) => !tones.has(one)) ?? wanted)
        : wanted;
    const first = Math.min(2, Math.floor(i / SERIES_PER_DASH)) as Dash;
    const dashes = [
      first,
      ...DASHES.filter((dash) => dash > first),
      ...DASHES.filter((dash) => dash < first),
    ];
    const dash = dashes.find((one) => isClear(tone, one)) ?? dashes.find((one) => isFree(tone, one));
    const style = dash === undefined ? anyFree(isFree) : { tone, dash };
    tones.add(style.tone);
    taken.add(`${style.tone} ${style.dash}`);
    made.set(name, style);
  }
  return made;
}

function anyFree(isFree: (tone: Tone, dash: Dash) => boolean): SeriesStyle {
  for (const dash of DASHES) for (const tone of TONES) if (isFree(tone, dash)) return { tone, dash };
  return { tone: 's8', dash: 4 };
}
