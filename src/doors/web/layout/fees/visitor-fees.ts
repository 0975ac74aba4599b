import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../../accounts/keys/directory.ts';
import { Problem } from '../../../../base/problems.ts';
import { DAY_MS } from '../../../../base/times.ts';
import { MOST_ADDRESS_BYTES } from '../../../../operations/access/refusals.ts';
import { parseFees } from '../../../../operations/taker-fees.ts';
import { linkTo } from '../../markup/page-links.ts';
import { cookieOf, setCookie } from '../cookies.ts';
import { servePageForm } from '../page-form.ts';
import { feesText, typedFees } from './fee-grid.ts';

export const FEES_PATH = '/fees';
export const FEES_COOKIE = 'pw_fees';
const LIFETIME_MS = 365 * DAY_MS;
const MAX_FORM_BYTES = 8 * 1024;
/** Shows the form of own fees, with what is wrong with them. */
const FORM_PATH = '/arbitrage';

/** Pages of other fees would be made for one reader each; the API and accounts take every fee. */
const STEP_PCT = 0.005;

/** Fees of a visitor in steps; other text as it is. */
export function steppedFees(text: string): string {
  return text
    .split(',')
    .map((entry) => {
      const [, exchange, fee] = /^(.+):\s*(\d*\.?\d+)\s*$/.exec(entry) ?? [];
      return exchange === undefined
        ? entry
        : `${exchange}:${Number((Math.round(Number(fee) / STEP_PCT) * STEP_PCT).toFixed(3))}`;
    })
    .join(',');
}

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
    return checkedFees(steppedFees(decodeURIComponent(text)), exchanges);
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
  const keep = async (request: FastifyRequest, reply: FastifyReply, fees: string | null) => {
    const user = signedIn(request);
    if (user) await saveFees(user.caller.accountId, fees);
    else
      setCookie(reply, FEES_COOKIE, encodeURIComponent(steppedFees(fees ?? '')), {
        isSecure,
        maxAgeMs: fees === null ? 0 : LIFETIME_MS,
      });
  };
  const form = { path: FEES_PATH, baseUrl, maxBytes: MAX_FORM_BYTES, defaultBack: FORM_PATH };
  servePageForm(server, form, async ({ request, reply, fields, isOwn }) => {
    if (!isOwn) return undefined;
    const text = feesText(typedFees(fields));
    const fees = text === '' ? null : checkedFees(text, exchanges);
    if (text !== '' && fees === null) {
      const address = linkTo(FORM_PATH, new Map([['fees', [text]]]));
      return address.length > MOST_ADDRESS_BYTES ? FORM_PATH : address;
    }
    await keep(request, reply, fees);
    return undefined;
  });
}
