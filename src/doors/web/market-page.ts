import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/keys/directory.ts';
import type { PlanOffers } from '../../accounts/plan-offers.ts';
import type { StarredCoins } from '../../accounts/starred-coins.ts';
import type { JobState } from '../../base/jobs.ts';
import type { AuditReport } from '../../engines/audit/report.ts';
import type { SplitTicker } from '../../market/coins/stored-splits.ts';
import type { Entrance } from '../../operations/access/entrance.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import type { VenueTimes } from '../../venues/health.ts';
import type { HtmlValue } from './markup/html.ts';
import { linkTo } from './markup/page-links.ts';
import type { PageLayout } from './page-layout.ts';
import type { PageParameters } from './page-parameters.ts';
import type { PairChart, PrefetchPairs } from './pages/spreads/pair-chart-cache.ts';
import type { VenueStatus } from './pages/venues/venue-status.ts';
import type { Preferences } from './preferences/preferences.ts';

export interface WebOptions {
  entrance: Entrance;
  /** The operations that the developer pages describe. */
  operations: readonly AnyOperation[];
  /** The signed-in user of a request, or null. Pages show the data of the user's plan. */
  signedIn: (request: FastifyRequest) => { caller: Caller; email: string } | null;
  venueStatus: () => readonly VenueStatus[];
  /** The part of it that tells which venues are late. */
  venueTimes: () => readonly VenueTimes[];
  /** The periodic jobs that make what the pages show. */
  jobs: () => readonly JobState[];
  /** The newest report of the audit; null before the first one. */
  accuracy: () => AuditReport | null;
  /** The tickers that are more than one coin. */
  splitTickers: () => readonly SplitTicker[];
  pairChart: PairChart;
  /** What /plans offers. */
  offers?: PlanOffers;
  /** Stores the starred coins of an account. */
  saveStars: (accountId: string, coins: StarredCoins) => Promise<void>;
  /** Stores the taker fees of an account; null forgets them. */
  saveFees: (accountId: string, takerFees: string | null) => Promise<void>;
}

export interface MarketPagesOptions extends WebOptions {
  prefetchPairs: PrefetchPairs;
}

/** One request for a page: its caller and its parameters. */
export interface PageContext
  extends Omit<MarketPagesOptions, 'signedIn' | 'operations' | 'offers' | 'saveStars' | 'saveFees'> {
  caller: Caller;
  isSignedIn: boolean;
  preferences: Preferences;
  /** The coins that the reader has starred. */
  stars: ReadonlySet<string>;
  /** Query values by name. */
  sent: Map<string, string[]>;
  /** Path parameters by name. */
  named: Readonly<Record<string, string>>;
}

export interface PageView {
  title: string;
  description: string;
  body: HtmlValue;
  /** Set for a page that says what is wrong with its address. */
  status?: number;
  /** The time of the data; live pages have it. */
  asOf?: string;
  /** By default `plain`. */
  layout?: PageLayout;
  scripts?: readonly string[];
  /** Further elements for the head, such as links to feeds. */
  head?: HtmlValue;
}

export interface PageFile<T> {
  type: string;
  write(loaded: T, context: PageContext): string;
  headers?(loaded: T): Record<string, string>;
}

/** A page of market data. The page and its Markdown twin are made from the same answer, so they cannot differ. */
export interface MarketPage<T> {
  /** In the router's notation: `/funding/:coin`. */
  path: string;
  /** Its name in llms.txt. Absent for a page that cannot be linked without parameters. */
  label?: string;
  /** The path of the menu entry that is marked as the current one. */
  section: string;
  /** The path of the Markdown twin, unless it is `path` with `.md`. */
  twinPath?: string;
  /** The query parameters that it knows. Others are ignored, and no link of the page has them. */
  parameters: PageParameters;
  /** Changes whenever the page can change; cached pages are valid until then. Null: the page is not cached. */
  freshness(context: PageContext): string | null;
  /** False: search engines leave it out. */
  isIndexed?: boolean;
  /** The page updates itself: its elements with `data-live` follow a stream of the page. */
  isLive?: boolean;
  /** The query as it should be in the address. A page with another is redirected to it. */
  clean?(context: PageContext): Map<string, string[]>;
  load(context: PageContext): Promise<T>;
  view(loaded: T, context: PageContext): PageView;
  markdown(loaded: T, context: PageContext): string;
  /** Other formats of the same answer, by the extension of their path. */
  files?: Readonly<Record<string, PageFile<T>>>;
}

export type AnyMarketPage = MarketPage<unknown>;

/** Checks the type of the answer inside the page and hides it outside. */
export function definePage<T>(page: MarketPage<T>): AnyMarketPage {
  return page as unknown as AnyMarketPage;
}

export function twinPathOf({
  path,
  twinPath = `${path}.md`,
}: Pick<AnyMarketPage, 'path' | 'twinPath'>): string {
  return twinPath;
}

/** The path with its parameters filled in, followed by the query of the request. */
export function addressOf(path: string, { named, sent }: PageContext): string {
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(named[name] ?? ''));
  return linkTo(filled, sent);
}
