import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LimitAttempts } from '../../../accounts/attempts/memory.ts';
import { browserName } from '../../../accounts/people/browser-name.ts';
import { DEVICE_LIFETIME_MS } from '../../../accounts/people/devices.ts';
import { SESSION_LIFETIME_MS, type Sessions, type SignedIn } from '../../../accounts/people/sessions.ts';
import type { NewSession } from '../../../accounts/people/users.ts';
import { isSigned, randomToken, sign } from '../../../accounts/secrets.ts';
import type { Ring } from '../../../accounts/vault/ring.ts';
import type { Vault } from '../../../accounts/vault/vault.ts';
import type { Clock } from '../../../base/clock.ts';
import { cookieOf, setCookie } from '../layout/cookies.ts';
import { renderPage } from '../layout/layout.ts';
import { LEADS_TO_ASSISTANT, PAGE_HEADERS } from '../layout/page-headers.ts';
import type { PageLayout } from '../layout/page-layout.ts';
import { knownValues, pageParameters } from '../layout/page-parameters.ts';
import { pathOf, viewerOf } from '../layout/viewer.ts';
import { sentByForm } from '../layout/visitor.ts';
import { type HtmlValue, html } from '../markup/html.ts';
import { FLASH_MS, openFlashTexts } from './flash-texts.ts';

export interface VisitsOptions {
  sessions: Sessions;
  ring: Ring;
  vault: Pick<Vault, 'seal' | 'unseal'>;
  limitAttempts: LimitAttempts;
  clock: Clock;
  baseUrl: string;
}

export interface FormPage {
  title: string;
  body: HtmlValue;
  /** By default `card`. */
  layout?: PageLayout;
  status?: number;
  /** For a refusal that is only temporary. */
  retryAfterSeconds?: number | null;
  /** Client scripts, as in `renderPage`. */
  scripts?: readonly string[];
  /** Whether a form of the page can end, after redirects, at an assistant that is being connected. */
  leadsToAssistant?: boolean;
  /** The query parameters that the page needs when it is shown again, as after a change of the theme. */
  parameters?: readonly string[];
}

/** One request of a browser: its session, and the CSRF token of its forms. */
export interface Visit {
  account: SignedIn | null;
  /** The id of the session; null without one. */
  sessionId: string | null;
  /** The CSRF token of every form. Bound to the session, or before sign-in to the visitor cookie. */
  csrf: string;
  /** The fields of the submitted form; null unless it came from one of our pages with the right token. */
  form(): URLSearchParams | null;
  /** Whether the browser says that a page of this site sent the request. */
  isOwnPage: boolean;
  page(page: FormPage): FastifyReply;
  redirect(path: string): FastifyReply;
  /** Sends a text to the page after a redirect, encrypted in a cookie of this session: it can hold a secret. */
  flash(text: string): void;
  /** The text of the last minute, or null. It can be taken once, whoever copied the cookie. */
  takeFlash(): Promise<string | null>;
  /** The cookie of an earlier sign-in in this browser. */
  deviceCookie: string | null;
  setDevice(cookie: string): void;
  /** Ends the current session, if any, and sets the cookies of a new one. */
  signIn(session: NewSession): Promise<void>;
  signOut(): Promise<void>;
}

export interface Visits {
  open(request: FastifyRequest, reply: FastifyReply): Promise<Visit>;
  signedIn(cookieHeader: string | undefined): Promise<SignedIn | null>;
  /** The cookie of the session that a browser sends, valid or not. */
  sessionCookie(cookieHeader: string | undefined): string | null;
}

export function openVisits(options: VisitsOptions): Visits {
  const { sessions, ring, baseUrl } = options;
  const flashTexts = openFlashTexts(options);
  const isSecure = baseUrl.startsWith('https:');
  const ownOrigin = new URL(baseUrl).origin;
  // With this prefix browsers reject the cookie from other hosts and over plain HTTP.
  const prefix = isSecure ? '__Host-' : '';
  const [sessionName, visitorName] = [`${prefix}pw_session`, `${prefix}pw_visitor`];
  const [deviceName, flashName] = [`${prefix}pw_device`, `${prefix}pw_kept`];

  const sessionCookie = (cookieHeader: string | undefined) => cookieOf(cookieHeader, sessionName);
  const signedIn = async (cookieHeader: string | undefined): Promise<SignedIn | null> => {
    const cookie = sessionCookie(cookieHeader);
    return cookie === null ? null : await sessions.find(cookie);
  };

  return {
    signedIn,
    sessionCookie,
    open: async (request, reply) => {
      const { cookie: header, origin, 'sec-fetch-site': site } = request.headers;
      const sent = sessionCookie(header);
      const account = await signedIn(header);
      const known = account && sent !== null ? sent : cookieOf(header, visitorName);
      let visitor = known ?? randomToken();
      if (known === null) setCookie(reply, visitorName, visitor, { isSecure });
      const setDevice = (cookie: string) =>
        setCookie(reply, deviceName, cookie, { isSecure, maxAgeMs: DEVICE_LIFETIME_MS });
      const formText = `form ${visitor}`;
      const csrf = sign(ring.signing(), formText);
      const isForeign =
        (origin !== undefined && origin !== ownOrigin) || site === 'cross-site' || site === 'same-site';
      return {
        account,
        sessionId: account && sent !== null ? sessions.idOf(sent) : null,
        csrf,
        form: () => {
          const fields = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
          return !isForeign && isSigned(ring.all(), formText, fields.get('csrf') ?? '') ? fields : null;
        },
        isOwnPage: site === undefined ? origin === ownOrigin : site === 'same-origin',
        page: ({ title, body, layout = 'card', status = 200, scripts = [], ...page }) => {
          const { retryAfterSeconds = null, parameters = [], leadsToAssistant = false } = page;
          const query = knownValues(sentByForm(request.raw.url ?? ''), pageParameters(null, parameters));
          return (
            reply
              .code(status)
              .headers(retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) })
              // URLs with tokens must not leak to other sites. `no-referrer` would remove the Origin of our own forms too.
              .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
              .headers(leadsToAssistant ? LEADS_TO_ASSISTANT : {})
              .send(
                renderPage({
                  title,
                  description: `${title}: accounts, API keys and alerts of Perpwire, market data for perpetual futures`,
                  path: pathOf(request),
                  body,
                  layout,
                  scripts,
                  viewer: {
                    ...viewerOf(request, account ? (account.email ?? account.name) : null, query),
                    csrf,
                  },
                }),
              )
          );
        },
        redirect: (path) => reply.redirect(path, 303),
        flash: (text) =>
          setCookie(reply, flashName, flashTexts.seal(visitor, text), {
            isSecure,
            maxAgeMs: FLASH_MS,
          }),
        takeFlash: async () => {
          const sealed = cookieOf(header, flashName);
          if (sealed === null) return null;
          setCookie(reply, flashName, '', { isSecure, maxAgeMs: 0 });
          return await flashTexts.take(visitor, sealed);
        },
        deviceCookie: cookieOf(header, deviceName),
        setDevice,
        signIn: async ({ sessionCookie, deviceCookie }) => {
          if (sent !== null) await sessions.end(sent);
          await sessions.noteBrowser(sessionCookie, browserName(request.headers['user-agent']));
          setCookie(reply, sessionName, sessionCookie, { isSecure, maxAgeMs: SESSION_LIFETIME_MS });
          setDevice(deviceCookie);
          // A text from now on is for a page of the new session.
          visitor = sessionCookie;
        },
        signOut: async () => {
          if (sent !== null) await sessions.end(sent);
          setCookie(reply, sessionName, '', { isSecure, maxAgeMs: 0 });
        },
      };
    },
  };
}

/** The response to a form without the right token, most often one that was open for too long. */
export function refusedForm(visit: Visit): FastifyReply {
  return visit.page({
    title: 'Form not accepted',
    status: 403,
    body: html`<h1>Form not accepted</h1>
      <p class="sub">
        The form was too old, or did not come from this site. Nothing was changed. Go back, reload the page
        and try again.
      </p>`,
  });
}
