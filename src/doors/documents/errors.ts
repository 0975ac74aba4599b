import { PROBLEMS } from '../../base/problems.ts';
import type { Document } from './document.ts';
import { escapeMarkdown } from './markdown.ts';

export const ERRORS: Document = {
  path: '/developers/errors',
  group: 'Start',
  title: 'Errors',
  description: 'Every error code of the API and what to do about it',
  markdown: () => {
    const lead =
      'Every error is an RFC 9457 problem body of type `application/problem+json`. `code` is stable, `detail` says what to change, and `instance` is the request id, also in `X-Request-Id`.';
    const parts = Object.entries(PROBLEMS).map(
      ([code, { status, title, help }]) =>
        `## ${code}\n\nStatus ${status}. ${escapeMarkdown(title)}. ${escapeMarkdown(help)}\n`,
    );
    return `# ${ERRORS.title}\n\n${lead}\n\n${parts.join('\n')}`;
  },
};
