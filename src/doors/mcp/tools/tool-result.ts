import type { Problem } from '../../../base/problems.ts';
import { type Answer, answerText, type SizedText } from '../../../operations/answer/answer.ts';
import type { Era } from '../protocol/protocol.ts';
import { resultEnd, resultText } from '../protocol/result.ts';
import { resultWords } from './result-words.ts';
import type { Tool } from './tools.ts';

/** The JSON of a result: a text in words, and the envelope with all rows as structuredContent. */
export function toolResult(
  tool: Pick<Tool, 'description' | 'operation'>,
  answer: Answer,
  era: Era,
): SizedText {
  const words = JSON.stringify(resultWords(tool.description, tool.operation, answer));
  const head = `{"content":[{"type":"text","text":${words}}],"structuredContent":`;
  // The envelope is JSON already.
  const { text, bytes } = answerText(answer);
  const end = resultEnd(era);
  return { text: head + text + end, bytes: Buffer.byteLength(head) + bytes + Buffer.byteLength(end) };
}

/** The first text is the REST problem's detail, word for word; close matches follow in a second one. */
export function errorResult({ detail, suggestions }: Problem, era: Era): Buffer {
  const content = [{ type: 'text', text: detail }];
  if (suggestions) content.push({ type: 'text', text: `Close matches: ${suggestions.join(', ')}` });
  return Buffer.from(resultText({ content, isError: true }, era));
}
