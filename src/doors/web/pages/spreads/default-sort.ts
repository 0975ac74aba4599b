/** The order of the page of spreads, if its address names none. The API has another default. */
export const DEFAULT_SORT = 'net_spread_desc';
