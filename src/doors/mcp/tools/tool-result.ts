import type { Problem } from '../../../base/problems.ts';
import { type Answer, answerParts } from '../../../operations/answer/answer.ts';
import type { Era } from '../protocol/protocol.ts';
import { resultEnd, resultText } from '../protocol/result.ts';
import { resultWords } from './result-words.ts';
import type { Tool } from './tools.ts';

/** The JSON of a result: a text in words, and the envelope with all rows as structuredContent. */
export function toolResult(tool: Pick<Tool, 'description' | 'operation'>, answer: Answer, era: Era): Buffer {
  const words = JSON.stringify(resultWords(tool.description, tool.operation, answer));
  // The envelope is JSON already.
  return Buffer.concat([
    Buffer.from(`{"content":[{"type":"text","text":${words}}],"structuredContent":`),
    ...answerParts(answer),
    Buffer.from(resultEnd(era)),
  ]);
}

/** The first text is the REST problem's detail, word for word; close matches follow in a second one. */
export function errorResult({ detail, suggestions }: Problem, era: Era): Buffer {
  const content = [{ type: 'text', text: detail }];
  if (suggestions) content.push({ type: 'text', text: `Close matches: ${suggestions.join(', ')}` });
  return Buffer.from(resultText({ content, isError: true }, era));
}
