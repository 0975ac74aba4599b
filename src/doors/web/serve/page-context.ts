import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../accounts/keys/directory.ts';
import { readStarred } from '../../../accounts/starred-coins.ts';
import { feesInCookie } from '../fees/visitor-fees.ts';
import type { AnyMarketPage, MarketPagesOptions, PageContext } from '../market-page.ts';
import { linkTo } from '../markup/page-links.ts';
import { knownValues } from '../page-parameters.ts';
import { preferencesText } from '../preferences/preferences.ts';
import { starsInCookie } from '../stars/stars.ts';
import { sentByForm, VISITOR } from '../visitor.ts';
import { type Frame, frameOf } from './frame.ts';

export interface Reader {
  caller: Caller;
  email: string;
}

/** The context and the frame of one request for a page, without the query parameters that the page does not know. */
export function pageContext(
  options: MarketPagesOptions,
  { parameters }: Pick<AnyMarketPage, 'parameters'>,
  request: FastifyRequest,
  user: Reader | null,
): { context: PageContext; frame: Frame } {
  const { entrance, venueStatus, venueTimes, jobs, accuracy, splitTickers, pairChart, prefetchPairs } =
    options;
  const sent = knownValues(sentByForm(request.raw.url ?? ''), parameters);
  const frame = frameOf(request, user?.email ?? null, sent);
  const served = entrance.data.venues.map(({ facts }) => facts.exchange);
  const context: PageContext = {
    entrance,
    venueStatus,
    venueTimes,
    jobs,
    accuracy,
    splitTickers,
    pairChart,
    prefetchPairs,
    caller: user?.caller ?? visitorWith(feesInCookie(request.headers.cookie, served)),
    isSignedIn: user !== null,
    preferences: frame.preferences,
    stars: new Set(user ? readStarred(user.caller.starredCoins) : starsInCookie(request.headers.cookie)),
    sent,
    named: request.params as Record<string, string>,
  };
  return { context, frame };
}

/** A visitor whose browser keeps fees. */
function visitorWith(takerFees: string | null): Caller {
  return takerFees === null ? VISITOR : { ...VISITOR, takerFees };
}

/** Equal for readers to whom the content of a page is the same: address, plan, own fees, stars and settings. */
export function contentKey(path: string, context: PageContext, user: Reader | null): string {
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name: string) => context.named[name] ?? '');
  const reader = `${user?.caller.plan.name ?? ''} ${context.caller.takerFees ?? ''}`;
  return `${linkTo(filled, context.sent)} ${preferencesText(context.preferences)} ${[...context.stars].join()} ${reader}`;
}
