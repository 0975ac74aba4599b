/** The order of the page, if its address names none: by what is likely to be earned at least. The API has another default. */
export const DEFAULT_SORT = 'expected_low_net_desc';
