import { PROBLEMS } from '../../../base/problems.ts';
import { html } from '../html.ts';

/** One anchor per code: every problem's `type` points here. */
export function errorsBody() {
  return html`<h1>Errors</h1>
<p class="lead">Every error is an RFC 9457 problem body of type <code>application/problem+json</code>. <code>code</code> is stable, <code>detail</code> says what to change, and <code>instance</code> is the request id, also in <code>X-Request-Id</code>.</p>
${Object.entries(PROBLEMS).map(
  ([code, { status, title, help }]) =>
    html`<section id="${code}"><h2><code>${code}</code> · ${status}</h2><p><strong>${title}.</strong> ${help}</p></section>\n`,
)}`;
}
