/**
 * What OrangeX sends, as far as we read it: JSON-RPC in the shape of Deribit. Every field arrives as `unknown` and is checked in
 * parse.ts. https://openapi-docs.orangex.com; the calls that it lacks are those of the venue's own site.
 */

/** Shares and funds that were seen on 2026-09-23; no call has a class. */
export const SHARES: ReadonlySet<string> = new Set(
  'AAPL ANTHROPIC CSCO GS JPM MSTR NVDA OPENAI OURA QCOM QQQ SPY TSLA'.split(' '),
);

/** What the site requests is 12. A page that the venue cuts shorter is recognised by the total. */
export const HISTORY_PAGE_ROWS = 100;

/** 0 and 500 return the whole book, but an older one. */
export const DEPTH_LEVELS = 100;
