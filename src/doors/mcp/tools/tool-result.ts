import { isAscii, knownText } from '../../../base/known-text.ts';
import type { Problem } from '../../../base/problems.ts';
import { type Answer, answerJson, rowText } from '../../../operations/answer/answer.ts';
import { PageBuffers, type Piece, quoted } from '../../http/answers/page-buffers.ts';
import type { Era } from '../protocol/protocol.ts';
import { RESULT_END, resultText } from '../protocol/result.ts';
import { resultWords } from './result-words.ts';
import { SHORT_BYTES, Tail } from './tail.ts';
import type { Tool } from './tools.ts';

/** Room for 100 rows of the widest table. Longer pages are rare and are written as text. */
const pages = new PageBuffers(128 * 1024, 24);

/** A finished result: a text in words, and the envelope with all rows as structuredContent. */
export function resultTail(tool: Pick<Tool, 'description' | 'operation'>, answer: Answer, era: Era): Tail {
  const { head, rows, tail } = answerJson(answer);
  const words = quoted(resultWords(tool.description, tool.operation, answer));
  const pieces: Piece[] = [
    `{"content":[{"type":"text","text":"${words}"}],"structuredContent":${head}`,
    ...(rows ? [rows] : []),
    `${tail}${RESULT_END[era]}`,
  ];
  const lent = rows && isAscii(words) && isAscii(head) ? pages.write(pieces) : null;
  if (lent === null) return Tail.of(knownText(textOf(pieces)));
  const { body, giveBack } = lent;
  if (body.length > SHORT_BYTES) return new Tail(body, body.length, { giveBack });
  const short = body.bytes.toString('latin1');
  giveBack();
  return new Tail(short, short.length);
}

function textOf(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) =>
      typeof piece === 'string' ? piece : piece.numbers.map((row) => rowText(piece, row)).join(','),
    )
    .join('');
}

/** The first text is the REST problem's detail, word for word; close matches follow in a second one. */
export function errorTail({ detail, suggestions }: Problem, era: Era): Tail {
  const content = [{ type: 'text', text: detail }];
  if (suggestions) content.push({ type: 'text', text: `Close matches: ${suggestions.join(', ')}` });
  return Tail.of(knownText(resultText({ content, isError: true }, era)));
}
