/** The coins that a reader has starred, in the order of starring. */
export type StarredCoins = readonly string[];

/** As many as a filter of the API takes. */
export const MOST_STARRED = 20;
const MOST_CHARACTERS = 24;

/** A ticker that can be stored: no separator, no space, nothing invisible. */
function isStarrable(coin: string): boolean {
  return coin.length > 0 && coin.length <= MOST_CHARACTERS && !/[\s,;\p{C}]/u.test(coin);
}

/** From the stored text. What is not a ticker, and what is too much, is left out. */
export function readStarred(text: string | null | undefined): StarredCoins {
  const coins = (text ?? '').split(',').filter(isStarrable);
  return [...new Set(coins)].slice(0, MOST_STARRED);
}

/** For the database; null without a star. */
export function starredText(coins: StarredCoins): string | null {
  return coins.length === 0 ? null : coins.join(',');
}

/** With or without one coin. A star too many takes the oldest away. */
export function withStar(coins: StarredCoins, coin: string, isStarred: boolean): StarredCoins {
  const others = coins.filter((one) => one !== coin);
  return isStarred && isStarrable(coin) ? [...others, coin].slice(-MOST_STARRED) : others;
}
