/**
 * Upper bounds of what a venue can say. They are orders of magnitude above anything that exists, so that only a wrong
 * unit, a wrong field or a broken number exceeds them.
 */

/** In quote units. The most expensive contracts cost 1e5 dollars; no unit of anything listed costs a billion. */
export const MAX_PRICE = 1e9;

/** In units of the contract's own base. The largest supply of a listed coin (BABYDOGE) is 4.2e17. */
export const MAX_SIZE = 1e18;

/** In USDT. All crypto derivatives of the world together turn over about 3e11 dollars a day. */
export const MAX_VOLUME_24H_USDT = 1e13;

/** In USDT. The largest contract has about 1e10 dollars of open interest, all perpetuals of the world about 2e11. */
export const MAX_OPEN_INTEREST_USDT = 1e11;
