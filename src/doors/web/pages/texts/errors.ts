import { PROBLEMS } from '../../../../base/problems.ts';
import { type Html, html } from '../../markup/html.ts';
import { escapeMarkdown } from '../../markup/markdown.ts';
import type { TextPage } from '../../text-page.ts';

const TITLE = 'Errors';

export const ERRORS_PAGE: TextPage = {
  path: '/developers/errors',
  group: 'Start',
  title: TITLE,
  description: 'Every error code of the API and what to do about it',
  body: errorsBody,
  markdown: errorsMarkdown,
};

/** One anchor per code: the `type` of a problem is its URL. */
function errorsBody(): Html {
  return html`<h1>${TITLE}</h1>
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

function errorsMarkdown(): string {
  const lead =
    'Every error is an RFC 9457 problem body of type `application/problem+json`. `code` is stable, `detail` says what to change, and `instance` is the request id, also in `X-Request-Id`.';
  const parts = Object.entries(PROBLEMS).map(
    ([code, { status, title, help }]) =>
      `## ${code}\n\nStatus ${status}. ${escapeMarkdown(title)}. ${escapeMarkdown(help)}\n`,
  );
  return `# ${TITLE}\n\n${lead}\n\n${parts.join('\n')}`;
}
