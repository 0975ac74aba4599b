import { renderPage } from '../layout/layout.ts';
import { PAGE_HEADERS } from '../layout/page-headers.ts';
import { html } from '../markup/html.ts';

/** The page for a request of an assistant that cannot be answered, for example with a redirect that is not its own. */
export function oauthErrorPage(
  error: string,
  description: string,
  host: string | null,
): { headers: Readonly<Record<string, string>>; body: string } {
  const title = 'The assistant cannot be connected';
  const body = html`<h1>${title}</h1>
    <p class="sub">
      Its request cannot be answered: ${error}
      ${description === '' ? null : html` (${description})`}.
    </p>
    <p>
      You were not sent back to ${host === null ? 'it' : html`<strong>${host}</strong>`}. Start again from the
      assistant, and only if you trust it.
    </p>`;
  return {
    headers: { ...PAGE_HEADERS, 'cache-control': 'no-store' },
    body: renderPage({ title, description: title, path: '', body, layout: 'card' }),
  };
}
