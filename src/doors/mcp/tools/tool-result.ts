import { isAscii, knownText } from '../../../base/known-text.ts';
import type { Problem } from '../../../base/problems.ts';
import { type Answer, answerJson, rowText } from '../../../operations/answer/answer.ts';
import { conclusionOf } from '../../../operations/answer/conclusion.ts';
import type { ToolDescription } from '../../../operations/operation.ts';
import { PageBuffers, type Piece, quoted } from '../../http/answers/page-buffers.ts';
import type { Era } from '../protocol/protocol.ts';
import { RESULT_END, resultText } from '../protocol/result.ts';
import { SHORT_BYTES, Tail } from './tail.ts';

/** Room for 100 rows of the widest table, twice. Longer pages are rare and are written as text. */
const pages = new PageBuffers(256 * 1024, 24);

/**
 * A finished result. The envelope appears twice: escaped inside the text content, after a conclusion in words, and plain
 * in structuredContent.
 */
export function resultTail(tool: ToolDescription, answer: Answer, era: Era): Tail {
  const { head, rows, tail } = answerJson(answer);
  const words = quoted(`${conclusionOf(tool, answer)}\n`);
  const text: Piece[] = [
    `{"content":[{"type":"text","text":"${words}${quoted(head)}`,
    ...(rows ? [{ rows, isQuoted: true }] : []),
    `${quoted(`${tail}\n${answer.meta.url}`)}"}]`,
  ];
  const structured: Piece[] = [
    `,"structuredContent":${head}`,
    ...(rows ? [{ rows, isQuoted: false }] : []),
    `${tail}${RESULT_END[era]}`,
  ];
  const pieces = [...text, ...structured];
  const lent = rows && isAscii(words) && isAscii(head) ? pages.write(pieces) : null;
  if (lent === null) return Tail.of(knownText(textOf(pieces)));
  const { body, giveBack } = lent;
  if (body.length > SHORT_BYTES) return new Tail(body, body.length, { giveBack });
  const short = body.bytes.toString('latin1');
  giveBack();
  return new Tail(short, short.length);
}

function textOf(pieces: readonly Piece[]): string {
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    const { rows, isQuoted } = piece;
    const list = rows.numbers.map((row) => rowText(rows, row)).join(',');
    return isQuoted ? quoted(list) : list;
  });
  return texts.join('');
}

/** The first text is the REST problem's detail, word for word; close matches follow in a second one. */
export function errorTail({ detail, suggestions }: Problem, era: Era): Tail {
  const content = [{ type: 'text', text: detail }];
  if (suggestions) content.push({ type: 'text', text: `Close matches: ${suggestions.join(', ')}` });
  return Tail.of(knownText(resultText({ content, isError: true }, era)));
}
