import { DOLLAR_QUOTES } from '../market/freeze.ts';
import { splitMultiplier } from '../market/identity.ts';
import type { Table } from '../market/tables/table.ts';

const QUOTES = [...DOLLAR_QUOTES].sort((a, b) => b.length - a.length);
/** Venues and callers write BTC-USDT, BTC_USDT, BTC/USDT, BTC/USDT:USDT and BTCUSDT. */
const SEPARATORS = '-_/:. ';

/**
 * The coins that a caller may mean who sent the name of a contract: 1000PEPE, kPEPE, BTC-USDT, BTCUSDT, XBTUSDTM. Names that
 * venues use now come first, then what is left of the name without quote and multiplier, if that is a ticker.
 */
export function coinsNamed(wanted: string, funding: Table | null, tickers: readonly string[]): string[] {
  const name = plainName(wanted);
  const found = new Set(funding ? coinsOfContracts(name, funding) : []);
  for (const one of [name, plainName(wanted.split(':')[0] ?? '')]) {
    const quote = QUOTES.find((ending) => one.endsWith(ending));
    const base = quote ? one.slice(0, -quote.length) : one;
    // Only a small k or m can be a multiplier, and tickers are read in any case.
    const smallFirst = base.slice(0, 1).toLowerCase() + base.slice(1);
    for (const coin of [base, splitMultiplier(base)?.coin, splitMultiplier(smallFirst)?.coin])
      if (coin !== undefined && tickers.includes(coin)) found.add(coin);
  }
  return [...found];
}

/** The coins of the contracts whose symbol, base or venue symbol is this name. */
function* coinsOfContracts(name: string, funding: Table): Generator<string> {
  for (const column of ['symbol', 'venue_symbol']) {
    const { codes, values } = funding.texts(column);
    for (const [code, value] of values.entries()) {
      const isNamed =
        isSpelled(value, name) ||
        (column === 'symbol' && isSpelled(value.slice(0, value.lastIndexOf('-')), name));
      if (!isNamed || code === 0) continue;
      for (let row = codes.indexOf(code); row >= 0; row = codes.indexOf(code, row + 1))
        yield funding.text('coin', row);
    }
  }
}

function plainName(name: string): string {
  return [...name.toUpperCase()].filter((letter) => !SEPARATORS.includes(letter)).join('');
}

/** Whether `plainName(text)` is this name. It makes no text of each of the thousands of names that differ at once. */
function isSpelled(text: string, name: string): boolean {
  let place = 0;
  for (const letter of text) {
    if (SEPARATORS.includes(letter)) continue;
    const upper = letter.toUpperCase();
    if (!name.startsWith(upper, place)) return false;
    place += upper.length;
  }
  return place === name.length;
}
