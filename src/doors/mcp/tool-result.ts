import { type KnownText, knownText } from '../../base/known-text.ts';
import type { Problem } from '../../base/problems.ts';
import type { Answer } from '../../operations/operation.ts';
import { conclude } from './conclusions.ts';
import { closed } from './methods.ts';
import type { Era } from './protocol.ts';
import { quoted, quotedData } from './quoted-rows.ts';

/**
 * A finished result: a message from after its id to its end. The envelope is in it twice, quoted in the text after a
 * conclusion in words, and plain as structured content.
 */
export function resultTail(toolName: string, answer: Answer, era: Era): KnownText {
  const meta = JSON.stringify(answer.meta);
  const data = quotedData(answer);
  const words = knownText(quoted(`${conclude(toolName, answer)}\n`));
  const end = knownText(quoted(`${meta}}\n${answer.meta.url}`));
  const text = `{"content":[{"type":"text","text":"${words.text}{\\"data\\":${data.text},\\"meta\\":${end.text}"}],"structuredContent":{"data":${answer.data},"meta":${meta}}`;
  return { text: closed(text, era), isAscii: words.isAscii && data.isAscii && end.isAscii };
}

/** The first text is the REST problem's detail, word for word; close matches follow apart from it. */
export function errorTail({ detail, suggestions }: Problem, era: Era): KnownText {
  const content = [{ type: 'text', text: detail }];
  if (suggestions) content.push({ type: 'text', text: `Close matches: ${suggestions.join(', ')}` });
  return knownText(closed(JSON.stringify({ content, isError: true }).slice(0, -1), era));
}
