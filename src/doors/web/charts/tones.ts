/** The class of a series: its colour in both themes. */
export type Tone = 's1' | 's2' | 's3' | 's4' | 's5' | 's6' | 's7' | 's8';
/** 0: a solid line, 1: dashed, 2: dotted. */
export type Dash = 0 | 1 | 2;

const TONES: readonly Tone[] = ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'];
const SERIES_PER_DASH = 3;

/** The large venues have tones of their own; the others take the one that their name gives them. */
const VENUE_TONES: ReadonlyMap<string, Tone> = new Map([
  ['Hyperliquid', 's1'],
  ['KuCoin', 's2'],
  ['Binance', 's3'],
  ['Bybit', 's4'],
  ['Bitget', 's5'],
  ['OKX', 's6'],
  ['Deribit', 's7'],
  ['Gate', 's8'],
]);

function preferredTone(name: string): Tone {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return VENUE_TONES.get(name) ?? TONES[sum % TONES.length] ?? 's1';
}

/**
 * Tones for the series of one chart: a venue keeps its own wherever it is drawn, unless another series of the chart has
 * it already. From the fourth series on lines are dashed, then dotted, so that colour is not the only difference.
 */
export function seriesTones(names: readonly string[]): ReadonlyMap<string, { tone: Tone; dash: Dash }> {
  const made = new Map<string, { tone: Tone; dash: Dash }>();
  const taken = new Set<Tone>();
  for (const [i, name] of names.entries()) {
    const wanted = preferredTone(name);
    if (i % TONES.length === 0) taken.clear();
    const tone = taken.has(wanted) ? (TONES.find((one) => !taken.has(one)) ?? wanted) : wanted;
    taken.add(tone);
    made.set(name, { tone, dash: Math.min(2, Math.floor(i / SERIES_PER_DASH)) as Dash });
  }
  return made;
}
