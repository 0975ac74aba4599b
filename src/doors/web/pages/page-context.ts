import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../accounts/keys/directory.ts';
import type { PlanOffers } from '../../../accounts/plan-offers.ts';
import type { StarredCoins } from '../../../accounts/starred-coins.ts';
import { readStarred } from '../../../accounts/starred-coins.ts';
import type { JobState } from '../../../base/jobs.ts';
import type { AuditReport } from '../../../engines/audit/report.ts';
import type { SplitTicker } from '../../../market/coins/stored-splits.ts';
import type { Entrance } from '../../../operations/access/entrance.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import type { DiskFaults } from '../../../storage/disk-state.ts';
import type { VenueTimes } from '../../../venues/health.ts';
import { feesInCookie } from '../layout/fees/visitor-fees.ts';
import type { PageParameters } from '../layout/page-parameters.ts';
import { knownValues } from '../layout/page-parameters.ts';
import type { Preferences } from '../layout/preferences/preferences.ts';
import { preferencesText } from '../layout/preferences/preferences.ts';
import { starsInCookie } from '../layout/stars/stars.ts';
import { type Viewer, viewerOf } from '../layout/viewer.ts';
import { sentByForm, VISITOR } from '../layout/visitor.ts';
import { linkTo } from '../markup/page-links.ts';
import type { PairChart, PrefetchPairs } from './spreads/pair-chart-cache.ts';
import type { VenueStatus } from './venues/venue-status.ts';

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
  /** What is wrong with the disk of the database. */
  diskFaults: () => DiskFaults;
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
  /** Stores the size of orders of an account in USD; null forgets it. */
  saveOrderSize: (accountId: string, sizeUsd: number | null) => Promise<void>;
}

export interface MarketPagesOptions extends WebOptions {
  prefetchPairs: PrefetchPairs;
}

/** One request for a page: its caller and its parameters. */
export interface PageContext
  extends Omit<
    MarketPagesOptions,
    'signedIn' | 'operations' | 'offers' | 'saveStars' | 'saveFees' | 'saveOrderSize'
  > {
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

export interface Reader {
  caller: Caller;
  email: string;
}

/** The context and the viewer of one request for a page, without the query parameters that the page does not know. */
export function pageContext(
  options: MarketPagesOptions,
  { parameters }: { parameters: PageParameters },
  request: FastifyRequest,
  user: Reader | null,
): { context: PageContext; viewer: Viewer } {
  const {
    entrance,
    venueStatus,
    venueTimes,
    jobs,
    diskFaults,
    accuracy,
    splitTickers,
    pairChart,
    prefetchPairs,
  } = options;
  const sent = knownValues(sentByForm(request.raw.url ?? ''), parameters);
  const viewer = viewerOf(request, user?.email ?? null, sent);
  const served = entrance.data.venues.map(({ facts }) => facts.exchange);
  const context: PageContext = {
    entrance,
    venueStatus,
    venueTimes,
    jobs,
    diskFaults,
    accuracy,
    splitTickers,
    pairChart,
    prefetchPairs,
    caller: user?.caller ?? visitorWith(feesInCookie(request.headers.cookie, served)),
    isSignedIn: user !== null,
    preferences: viewer.preferences,
    stars: new Set(user ? readStarred(user.caller.starredCoins) : starsInCookie(request.headers.cookie)),
    sent,
    named: request.params as Record<string, string>,
  };
  return { context, viewer };
}

/** A visitor whose browser keeps fees. */
function visitorWith(takerFees: string | null): Caller {
  return takerFees === null ? VISITOR : { ...VISITOR, takerFees };
}

/** Equal for readers to whom the content of a page is the same: address, plan, own fees and size, stars and settings. */
export function contentKey(path: string, context: PageContext, user: Reader | null): string {
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name: string) => context.named[name] ?? '');
  const { takerFees, orderSizeUsd } = context.caller;
  const reader = `${user?.caller.plan.name ?? ''} ${takerFees ?? ''} ${orderSizeUsd ?? ''}`;
  return `${linkTo(filled, context.sent)} ${preferencesText(context.preferences)} ${[...context.stars].join()} ${reader}`;
}

/** The path with its parameters filled in, followed by the query of the request. */
export function addressOf(path: string, { named, sent }: PageContext): string {
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(named[name] ?? ''));
  return linkTo(filled, sent);
}
