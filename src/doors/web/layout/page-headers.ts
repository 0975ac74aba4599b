import { API_PATH } from '../../../operations/description/discovery.ts';

/** RFC 8288 and RFC 8631: where agents find the index of the site, the description of the API and its guide. */
const LINKS = [
  '</llms.txt>; rel="describedby"; type="text/plain"',
  `<${API_PATH}/openapi.json>; rel="service-desc"; type="application/json"`,
  '</developers>; rel="service-doc"; type="text/html"',
].join(', ');

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * For pages whose form ends at an assistant: Chromium applies `form-action` to redirects too, and the assistant's
 * address may have any scheme.
 */
export const LEADS_TO_ASSISTANT: Readonly<Record<string, string>> = { 'content-security-policy': POLICY };

/**
 * Headers of HTML pages. The content security policy forbids inline code and other origins, also as targets of forms.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `${POLICY}; form-action 'self'`,
  link: LINKS,
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** Pages change with the session cookie; browsers must revalidate them. */
export const REVALIDATED = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding, Cookie' } as const;
