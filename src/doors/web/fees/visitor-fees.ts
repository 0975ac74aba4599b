import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../accounts/keys/directory.ts';
import { Problem } from '../../../base/problems.ts';
import { DAY_MS } from '../../../base/times.ts';
import { parseFees } from '../../../operations/taker-fees.ts';
import { plainNumber } from '../lists/forgiving.ts';
import { linkTo } from '../markup/page-links.ts';
import { cookieOf, setCookie } from '../sign-in/cookies.ts';
import { safePath } from '../sign-in/safe-path.ts';

export const FEES_PATH = '/fees';
export const FEES_COOKIE = 'pw_fees';
const LIFETIME_MS = 365 * DAY_MS;
const MAX_FORM_BYTES = 8 * 1024;
/** Shows the form of own fees, with what is wrong with them. */
const FORM_PATH = '/arbitrage';

/** Fees as the API takes them, or null if an entry is wrong or names a venue that is not served. */
function checkedFees(text: string, exchanges: readonly string[]): string | null {
  try {
    const entries = parseFees(text);
    const isServed = (entry: string) => exchanges.includes(entry.slice(0, entry.lastIndexOf(':')));
    return entries.every(isServed) ? entries.join(',') : null;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** The taker fees of a reader without an account, from the cookie. */
export function feesInCookie(header: string | undefined, exchanges: readonly string[]): string | null {
  const text = cookieOf(header, FEES_COOKIE);
  if (text === null || text === '') return null;
  try {
    return checkedFees(decodeURIComponent(text), exchanges);
  } catch {
    // Not our encoding: changed by hand.
    return null;
  }
}

export interface FeesOptions {
  baseUrl: string;
  exchanges: readonly string[];
  signedIn: (request: FastifyRequest) => { caller: Caller } | null;
  /** Stores the fees of an account; null forgets them. */
  saveFees: (accountId: string, takerFees: string | null) => Promise<void>;
}

/** Keeps the fees of the form, in the account of the reader or in a cookie. An empty form forgets them. */
export function serveFees(server: FastifyInstance, options: FeesOptions): void {
  const { baseUrl, exchanges, signedIn, saveFees } = options;
  const isSecure = baseUrl.startsWith('https:');
  const ownOrigin = new URL(baseUrl).origin;
  const keep = async (request: FastifyRequest, reply: FastifyReply, fees: string | null) => {
    const user = signedIn(request);
    if (user) await saveFees(user.caller.accountId, fees);
    else
      setCookie(reply, FEES_COOKIE, encodeURIComponent(fees ?? ''), {
        isSecure,
        maxAgeMs: fees === null ? 0 : LIFETIME_MS,
      });
  };
  void server.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, body),
    );
    forms.post(FEES_PATH, async (request, reply) => {
      const { origin, 'sec-fetch-site': site } = request.headers;
      const sent = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      const back = safePath(sent.get('back'), FORM_PATH);
      reply.header('cache-control', 'no-store');
      // Pages are shared by readers, so they hold no token: the browser has to say that its own page sent the form.
      const isOwn = site === undefined ? origin === ownOrigin : site === 'same-origin';
      if (!isOwn) return reply.redirect(back, 303);
      const typed = [...sent].flatMap(([name, value]) =>
        name.startsWith('fee_') && value.trim() !== ''
          ? [`${name.slice('fee_'.length)}:${plainNumber(value)}`]
          : [],
      );
      const text = typed.join(',');
      const fees = text === '' ? null : checkedFees(text, exchanges);
      if (text !== '' && fees === null)
        return reply.redirect(linkTo(FORM_PATH, new Map([['fees', [text]]])), 303);
      await keep(request, reply, fees);
      return reply.redirect(back, 303);
    });
  });
}
