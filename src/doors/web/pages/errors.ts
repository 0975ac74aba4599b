import { PROBLEMS } from '../../../base/problems.ts';
import { type Html, html } from '../html.ts';
import { escapeMarkdown } from '../markdown.ts';

const TITLE = 'Errors';

/** One anchor per code: every problem's `type` points here. */
export function errorsBody(): Html {
  return html`<article class="text"><h1>${TITLE}</h1>
<p class="lead">Every error is an RFC 9457 problem body of type <code>application/problem+json</code>. <code>code</code> is stable, <code>detail</code> says what to change, and <code>instance</code> is the request id, also in <code>X-Request-Id</code>.</p>
${Object.entries(PROBLEMS).map(
  ([code, { status, title, help }]) =>
    html`<section id="${code}"><h2><code>${code}</code> · ${status}</h2><p><strong>${title}.</strong> ${help}</p></section>\n`,
)}</article>`;
}

export function errorsMarkdown(): string {
  const lead =
    'Every error is an RFC 9457 problem body of type `application/problem+json`. `code` is stable, `detail` says what to change, and `instance` is the request id, also in `X-Request-Id`.';
  const parts = Object.entries(PROBLEMS).map(
    ([code, { status, title, help }]) =>
      `## ${code}\n\nStatus ${status}. ${escapeMarkdown(title)}. ${escapeMarkdown(help)}\n`,
  );
  return `# ${TITLE}\n\n${lead}\n\n${parts.join('\n')}`;
}
