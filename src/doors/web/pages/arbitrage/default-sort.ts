/** The order of the page, if its address names none: by what is expected. The API has another default. */
export const DEFAULT_SORT = 'expected_net_desc';
