import type { FastifyReply, FastifyRequest } from 'fastify';
import { readStarred, withStar } from '../../../accounts/starred-coins.ts';
import { setCookie } from '../layout/cookies.ts';
import { FEES_COOKIE, feesInCookie } from '../layout/fees/visitor-fees.ts';
import { STARS_COOKIE, starsInCookie } from '../layout/stars/stars.ts';
import type { PeopleOptions } from './people-options.ts';

type Needed = Pick<PeopleOptions, 'accounts' | 'sessions' | 'baseUrl' | 'exchanges'>;

/** On sign-in the stars and the fees of the visitor join those of the account, and leave the browser. */
export async function moveChoices(
  request: FastifyRequest,
  reply: FastifyReply,
  { accounts: { accounts }, sessions, baseUrl, exchanges }: Needed,
  sessionCookie: string,
): Promise<void> {
  const { cookie } = request.headers;
  const [ofVisitor, fees] = [starsInCookie(cookie), feesInCookie(cookie, exchanges)];
  if (ofVisitor.length === 0 && fees === null) return;
  const signedIn = await sessions.find(sessionCookie);
  const account = signedIn && (await accounts.find(signedIn.accountId));
  if (!account) return;
  const forget = (name: string) =>
    setCookie(reply, name, '', { isSecure: baseUrl.startsWith('https:'), maxAgeMs: 0 });
  if (ofVisitor.length > 0) {
    let stars = readStarred(account.starredCoins);
    for (const coin of ofVisitor) if (!stars.includes(coin)) stars = withStar(stars, coin, true);
    await accounts.setStarredCoins(account.id, stars);
    forget(STARS_COOKIE);
  }
  if (fees !== null) {
    // Fees that the account has were saved with more care.
    if (account.takerFees === null) await accounts.setTakerFees(account.id, fees);
    forget(FEES_COOKIE);
  }
}
