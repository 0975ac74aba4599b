/** The class of a series: its colour in both themes. `s0` has none and is for what is no venue. */
export type Tone = 's0' | 's1' | 's2' | 's3' | 's4' | 's5' | 's6' | 's7' | 's8';
/** 0: a solid line, 1: dashed, 2: dotted, 3: dash and dot, 4: long dashes, 5: dash and two dots, 6: two dashes and a gap. */
export type Dash = 0 | 1 | 2 | 3 | 4 | 5 | 6;
export interface SeriesStyle {
  tone: Tone;
  dash: Dash;
}

const TONES: readonly Tone[] = ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'];
const DASHES: readonly Dash[] = [0, 1, 2, 3, 4, 5, 6];

/**
 * The style of each venue on every page: a line for each dash, a column for each tone. Tones that thin lines make hard to
 * tell apart (s1 and s3 from s6, s2 from s5 and s7, s4 from s7) have no dash in common among the venues that trade most.
 */
const VENUES: readonly (readonly string[])[] = [
  ['Hyperliquid', 'KuCoin', 'Binance', 'Bybit', 'Pionex', 'Toobit', 'Nado', 'OKX'],
  ['edgeX', 'Bitunix', 'CoinEx', 'BTSE', 'Bitget', 'Gate', 'Deribit', 'MEXC'],
  ['Kraken', 'dYdX', 'HTX', 'Aster', 'GRVT', 'XT', 'Pacifica', 'Lighter'],
  ['BingX', 'Backpack', 'Phemex', 'WEEX', 'CoinbaseIntl', 'WhiteBIT', 'trade.xyz', 'Paradex'],
  ['WOOX', 'BloFin', 'Extended', 'Orderly', 'Deepcoin', 'CryptoCom', 'OrangeX', 'Ourbit'],
  ['ApeX', 'Polymarket', 'Variational', 'DeltaIndia', 'Bitfinex', 'SoDEX', 'LighterRH', 'Arcus'],
  ['Ondo', 'StandX', 'Paragon', '', '', '', '', ''],
];

const VENUE_STYLES: ReadonlyMap<string, SeriesStyle> = new Map(
  VENUES.flatMap((names, dash) =>
    names.map((name, i) => [name, { tone: TONES[i] ?? 's1', dash: dash as Dash }] as const),
  ).filter(([name]) => name !== ''),
);

/** Styles for the series of one chart. Names without a style of their own take the first ones that are free. */
export function seriesTones(names: readonly string[]): ReadonlyMap<string, SeriesStyle> {
  const textOf = ({ tone, dash }: SeriesStyle) => `${tone} ${dash}`;
  const taken = new Set(names.flatMap((name) => VENUE_STYLES.get(name) ?? []).map(textOf));
  const free = DASHES.flatMap((dash) => TONES.map((tone) => ({ tone, dash }))).filter(
    (style) => !taken.has(textOf(style)),
  );
  return new Map(
    names.map((name) => [name, VENUE_STYLES.get(name) ?? free.shift() ?? { tone: 's8', dash: 4 }]),
  );
}

export const hasOwnStyle = (exchange: string): boolean => VENUE_STYLES.has(exchange);
