import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_LIFETIME_MS, type Sessions, type SignedIn } from '../../../accounts/people/sessions.ts';
import { isSame, randomToken, sign } from '../../../accounts/secrets.ts';
import { type HtmlValue, html } from '../html.ts';
import { renderPage } from '../serve/layout.ts';
import { PAGE_HEADERS } from '../serve/page-headers.ts';
import { cookieOf, setCookie } from './cookies.ts';

export interface VisitsOptions {
  sessions: Sessions;
  signingKey: string;
  baseUrl: string;
}

export interface FormPage {
  title: string;
  body: HtmlValue;
  status?: number;
  /** Names of client scripts, as for `renderPage`. */
  scripts?: readonly string[];
}

/** One request of a person in a browser: who it is, and what their forms must carry. */
export interface Visit {
  account: SignedIn | null;
  /** Names the session of a person who is signed in. */
  sessionId: string | null;
  /** Goes into every form; bound to the session, or to the browser before sign-in. */
  csrf: string;
  /** The fields of a form that was sent from one of our own pages; null for any other. */
  form(): URLSearchParams | null;
  page(page: FormPage): FastifyReply;
  redirect(path: string): FastifyReply;
  /** Ends the session that came along, if any, and gives the browser a new one. */
  signIn(cookie: string): Promise<void>;
  signOut(): Promise<void>;
}

export interface Visits {
  open(request: FastifyRequest, reply: FastifyReply): Promise<Visit>;
  signedIn(cookieHeader: string | undefined): Promise<SignedIn | null>;
}

export function openVisits({ sessions, signingKey, baseUrl }: VisitsOptions): Visits {
  const isSecure = baseUrl.startsWith('https:');
  const ownOrigin = new URL(baseUrl).origin;
  // The prefix makes browsers refuse such a cookie from another host or over plain HTTP.
  const prefix = isSecure ? '__Host-' : '';
  const [sessionName, visitorName] = [`${prefix}pw_session`, `${prefix}pw_visitor`];

  const signedIn = async (cookieHeader: string | undefined): Promise<SignedIn | null> => {
    const cookie = cookieOf(cookieHeader, sessionName);
    return cookie === null ? null : await sessions.find(cookie);
  };

  return {
    signedIn,
    open: async (request, reply) => {
      const { cookie: header, origin, 'sec-fetch-site': site } = request.headers;
      const sent = cookieOf(header, sessionName);
      const account = await signedIn(header);
      let visitor = account && sent !== null ? sent : cookieOf(header, visitorName);
      if (visitor === null) {
        visitor = randomToken();
        setCookie(reply, visitorName, visitor, { isSecure });
      }
      const csrf = sign(signingKey, `form ${visitor}`);
      const isForeign =
        (origin !== undefined && origin !== ownOrigin) || site === 'cross-site' || site === 'same-site';
      return {
        account,
        sessionId: account && sent !== null ? sessions.idOf(sent) : null,
        csrf,
        form: () => {
          const fields = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
          return !isForeign && isSame(fields.get('csrf') ?? '', csrf) ? fields : null;
        },
        page: ({ title, body, status = 200, scripts = [] }) =>
          reply
            .code(status)
            // Addresses with tokens stay on this site. With `no-referrer` browsers would send our own forms as from nowhere.
            .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
            .send(
              renderPage({
                title,
                description: title,
                path: (request.raw.url ?? '').split('?')[0] ?? '',
                body,
                scripts,
                signedInAs: account ? (account.email ?? account.name) : null,
              }),
            ),
        redirect: (path) => reply.redirect(path, 303),
        signIn: async (cookie) => {
          if (sent !== null) await sessions.end(sent);
          setCookie(reply, sessionName, cookie, { isSecure, maxAgeMs: SESSION_LIFETIME_MS });
        },
        signOut: async () => {
          if (sent !== null) await sessions.end(sent);
          setCookie(reply, sessionName, '', { isSecure, maxAgeMs: 0 });
        },
      };
    },
  };
}

/** What a form without the right token gets: most often it was open for too long. */
export function refusedForm(visit: Visit): FastifyReply {
  return visit.page({
    title: 'Form not accepted',
    status: 403,
    body: html`<h1>Form not accepted</h1>
<p class="lead">The form was too old, or did not come from this site. Nothing was changed. Go back, reload the page and try again.</p>`,
  });
}

/** A path on this site, or the given one for anything else: nobody is sent away by a link they clicked. */
export function safePath(text: string | null, otherwise: string): string {
  if (text === null || !/^\/(?![/\\])[^\\\p{C}]*$/u.test(text)) return otherwise;
  const base = 'https://this.invalid';
  const url = URL.parse(text, base);
  return url?.origin === base ? `${url.pathname}${url.search}` : otherwise;
}
