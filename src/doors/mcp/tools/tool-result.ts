import { isAscii, knownText } from '../../../base/known-text.ts';
import type { Problem } from '../../../base/problems.ts';
import { metaJson } from '../../../operations/meta-json.ts';
import type { Answer } from '../../../operations/operation.ts';
import { closed } from '../protocol/methods.ts';
import type { Era } from '../protocol/protocol.ts';
import { conclude } from './conclusions.ts';
import { quoted, rowsTail } from './row-pages.ts';
import { Tail } from './tail.ts';

/**
 * A finished result: a message from after its id to its end. The envelope is in it twice, quoted in the text after a
 * conclusion in words, and plain as structured content.
 */
export function resultTail(toolName: string, answer: Answer, era: Era): Tail {
  const meta = metaJson(answer.meta);
  const words = quoted(`${conclude(toolName, answer)}\n`);
  const end = quoted(`${meta}}\n${answer.meta.url}`);
  const before = `{"content":[{"type":"text","text":"${words}{\\"data\\":`;
  const between = `,\\"meta\\":${end}"}],"structuredContent":{"data":`;
  const after = closed(`,"meta":${meta}}`, era);
  if (!answer.rows) {
    const { data } = answer;
    return Tail.of(knownText(before + quoted(data) + between + data + after));
  }
  return rowsTail(answer.rows, {
    before: `${before}[`,
    between: `]${between}[`,
    after: `]${after}`,
    isAscii: isAscii(words) && isAscii(meta),
  });
}

/** The first text is the REST problem's detail, word for word; close matches follow apart from it. */
export function errorTail({ detail, suggestions }: Problem, era: Era): Tail {
  const content = [{ type: 'text', text: detail }];
  if (suggestions) content.push({ type: 'text', text: `Close matches: ${suggestions.join(', ')}` });
  return Tail.of(knownText(closed(JSON.stringify({ content, isError: true }).slice(0, -1), era)));
}
