import { ownValue } from '../../../base/own-value.ts';
import { DOLLAR_QUOTES } from '../../../market/freeze.ts';

/** A contract as a notice names it. */
export interface NamedContract {
  start: number;
  end: number;
  base: string;
  /** Null: the notice names only the coin. */
  quote: string | null;
}

/** The longest first, because USD is a prefix of the others. Notices also name pairs in USD1. */
const QUOTES = [...DOLLAR_QUOTES, 'USD1'].sort((a, b) => b.length - a.length).join('|');
const PAIR = new RegExp(
  `(?<![A-Za-z0-9])(?<base>[km]?[A-Z0-9]{1,20}?)[-/_]?(?<quote>${QUOTES})M?(?:[-_ ]?(?:SWAP|PERP(?:ETUAL)?))?(?![A-Za-z0-9]|-M\\b|-[Mm]argin|[-_]\\d)`,
  'g',
);
const ENDING =
  /(?<![A-Za-z0-9])(?<base>[km]?[A-Z0-9]{2,15}?)(?<mark>[-_]PERPETUAL|[-_]PERP|PERP)(?![A-Za-z0-9])/g;

const TICKER = '[km]?[A-Z0-9]{1,15}(?![a-z])';
const ITEM = `(?:${TICKER}(?: ?\\([^()]{1,40}\\))?|[A-Z][\\w.]{0,20}(?: [A-Z][\\w.]{0,20}){0,3} ?\\(${TICKER}\\))`;
const JOIN = '(?:, and | and |, | & |/)';
const LIST = `${ITEM}(?:${JOIN}${ITEM}){0,30}`;
const MARGIN = '(?:(?:(?<quote>USDT|USDC|USD)|USDS|COIN|Coin|U)(?:[- ]?(?:M|[Mm]argined))? )?';
const PERPETUAL = '(?:[Pp]erpetuals?|PERPETUAL|[Pp]erps?|PERPS?)';
const COINS_BEFORE = new RegExp(`(?<![A-Za-z0-9/])(?<list>${LIST}) ${MARGIN}${PERPETUAL}(?![a-z])`, 'g');
const COINS_AFTER = new RegExp(
  `${PERPETUAL}(?: (?:[Ff]utures|[Cc]ontracts?|[Ss]waps?|[Mm]arkets?|[Tt]rading))* (?:for|on|of) (?:the )?(?<list>${LIST})`,
  'g',
);

/** Words in capitals that are not tickers. */
const NO_TICKERS: ReadonlySet<string> = new Set(
  'A AN AND API ALL AM APR AS AT BY COIN FAQ FOR FUTURES GMT HTX IN IS IT KYC LIST M MEXC NEW NO NOTICE OF OKX ON OR PERP PERPETUAL PM SPOT SWAP THE TO TRADING U UPDATE USD USDC USDS USDT UTC VIP WEB WILL WITH X'.split(
    ' ',
  ),
);

/** In front of a quote these are a second quote, not the base of a pair. */
const DOLLARS: ReadonlySet<string> = new Set(['USD', 'USDS', 'USDT']);

/** KuCoin and Kraken use XBT for Bitcoin. */
const ALIASES: Readonly<Record<string, string>> = { XBT: 'BTC' };

/** The quote that a suffix implies; with other suffixes it is the venue's usual quote. */
const ENDING_QUOTE: Readonly<Record<string, string>> = { PERP: 'USDC', '-PERPETUAL': 'USD' };

/** The contracts in a text: pairs, or if there are none, the coins next to the word perpetual. */
export function contractsIn(text: string): NamedContract[] {
  const found = [...pairsIn(text), ...endingsIn(text)].sort((a, b) => a.start - b.start);
  return found.length > 0 ? found : coinsIn(text);
}

function pairsIn(text: string): NamedContract[] {
  return [...text.matchAll(PAIR)].flatMap((match) => {
    const { base = '', quote = '' } = match.groups ?? {};
    const isAmount = /^\d+$/.test(base);
    return isAmount || DOLLARS.has(base) ? [] : [named(match.index, match[0].length, base, quote)];
  });
}

function endingsIn(text: string): NamedContract[] {
  return [...text.matchAll(ENDING)].flatMap((match) => {
    const { base = '', mark = '' } = match.groups ?? {};
    const isPair = new RegExp(`(?:${QUOTES})$`).test(base);
    return isTicker(base) && !isPair
      ? [named(match.index, match[0].length, base, ownValue(ENDING_QUOTE, mark) ?? null)]
      : [];
  });
}

function coinsIn(text: string): NamedContract[] {
  const found: NamedContract[] = [];
  for (const pattern of [COINS_BEFORE, COINS_AFTER]) {
    for (const match of text.matchAll(pattern)) {
      const { list = '', quote } = match.groups ?? {};
      const start = match.index + match[0].indexOf(list);
      for (const item of list.matchAll(new RegExp(ITEM, 'g'))) {
        const ticker = tickerOf(item[0]);
        if (ticker !== null) found.push(named(start + item.index, item[0].length, ticker, quote ?? null));
      }
    }
  }
  return found;
}

/** `ABC`, `ABC (Alpha)` and `Alpha (ABC)` are all ABC. */
function tickerOf(item: string): string | null {
  const whole = new RegExp(`^${TICKER}`).exec(item)?.[0];
  const inside = new RegExp(`\\((${TICKER})\\)$`).exec(item)?.[1];
  const isPlain = whole !== undefined && /^(?: ?\(|$)/.test(item.slice(whole.length));
  const ticker = isPlain ? whole : inside;
  return ticker !== undefined && isTicker(ticker) ? ticker : null;
}

function isTicker(base: string): boolean {
  return base !== '' && !/^\d+[xX]?$/.test(base) && !NO_TICKERS.has(base);
}

function named(start: number, length: number, base: string, quote: string | null): NamedContract {
  return { start, end: start + length, base: ownValue(ALIASES, base) ?? base, quote };
}
