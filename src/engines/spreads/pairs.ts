/** Legs as codes, ordered by coin, venue and preference: a venue's first leg is its preferred one. */
export interface LegCodes {
  coin: Uint32Array;
  exchange: Uint32Array;
  quote: Uint32Array;
}

/** Every pair of venues that could have a row, by coin, and its legs. */
export interface PairLayout {
  count: number;
  /** The preferred legs. */
  legA: Int32Array;
  legB: Int32Array;
  /** By pair, where a venue has several legs: all choices as a, b, a, b, ..., the best first. */
  choices: ReadonlyMap<number, Int32Array>;
  /** By coin: its first leg and its first pair; one more entry marks the end of the last coin. */
  firstLeg: Int32Array;
  firstPair: Int32Array;
}

interface VenueLegs {
  start: number;
  end: number;
}

export function buildPairLayout(codes: LegCodes): PairLayout {
  const coins = runsOf(codes.coin, 0, codes.coin.length);
  const venues = coins.map(({ start, end }) => runsOf(codes.exchange, start, end));
  const count = venues.reduce((sum, group) => sum + (group.length * (group.length - 1)) / 2, 0);
  const layout = {
    count,
    legA: new Int32Array(count),
    legB: new Int32Array(count),
    choices: new Map<number, Int32Array>(),
    firstLeg: new Int32Array(coins.length + 1),
    firstPair: new Int32Array(coins.length + 1),
  };
  let pair = 0;
  for (const [coin, group] of venues.entries()) {
    layout.firstLeg[coin] = coins[coin]?.start ?? 0;
    layout.firstPair[coin] = pair;
    for (let i = 0; i < group.length; i++) {
      for (let j = i + 1; j < group.length; j++) {
        const a = group[i] as VenueLegs;
        const b = group[j] as VenueLegs;
        const choices = b.end - b.start + a.end - a.start > 2 ? choicesOf(a, b, codes.quote) : null;
        layout.legA[pair] = choices?.[0] ?? a.start;
        layout.legB[pair] = choices?.[1] ?? b.start;
        if (choices) layout.choices.set(pair, choices);
        pair++;
      }
    }
  }
  layout.firstLeg[coins.length] = codes.coin.length;
  layout.firstPair[coins.length] = count;
  return layout;
}

/** Legs with the same quote first, then by the legs' order of preference. */
function choicesOf(a: VenueLegs, b: VenueLegs, quotes: Uint32Array): Int32Array {
  const same: number[] = [];
  const mixed: number[] = [];
  for (let legA = a.start; legA < a.end; legA++)
    for (let legB = b.start; legB < b.end; legB++)
      (quotes[legA] === quotes[legB] ? same : mixed).push(legA, legB);
  return Int32Array.from([...same, ...mixed]);
}

function runsOf(codes: Uint32Array, from: number, to: number): VenueLegs[] {
  const runs: VenueLegs[] = [];
  for (let start = from; start < to; ) {
    let end = start + 1;
    while (end < to && codes[end] === codes[start]) end++;
    runs.push({ start, end });
    start = end;
  }
  return runs;
}
