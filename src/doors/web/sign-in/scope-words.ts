import type { Scope } from '../../../accounts/scopes.ts';

/** What each scope allows, in words for users. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'funding:read': 'See the current funding rates of all venues',
  'history:read': 'See past funding rates, as far back as your plan goes',
  'spreads:read': 'See price differences between venues, and their backtest',
  'listings:read': 'See announced listings and delistings',
  'usage:read': 'See your plan and how many requests you have used',
};

/** The data of each scope, in a few words. */
export const SCOPE_TITLES: Readonly<Record<Scope, string>> = {
  'funding:read': 'Live funding rates',
  'history:read': 'Settled payments',
  'spreads:read': 'Live spreads and backtest',
  'listings:read': 'Listings calendar',
  'usage:read': 'Its own usage',
};
