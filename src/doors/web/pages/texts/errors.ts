import { PROBLEMS } from '../../../../base/problems.ts';
import { ERRORS } from '../../../documents/errors.ts';
import { type Html, html } from '../../markup/html.ts';
import type { TextPage } from '../text-page.ts';

export const ERRORS_PAGE: TextPage = { ...ERRORS, body: errorsBody };

/** One anchor per code: the `type` of a problem is its URL. */
function errorsBody(): Html {
  return html`<h1>${ERRORS.title}</h1>
    <p>
      Every error is an RFC 9457 problem body of
      type <code>application/problem+json</code>. <code>code</code> is stable, <code>detail</code> says what
      to change, and <code>instance</code> is the request id, also in <code>X-Request-Id</code>.
    </p>
    ${Object.entries(PROBLEMS).map(
      ([code, { status, title, help }]) =>
        html`<section>
          <h2 id="${code}"><code>${code}</code> · ${status}</h2>
          <p><b>${title}.</b> ${help}</p>
        </section>\n`,
    )}`;
}
