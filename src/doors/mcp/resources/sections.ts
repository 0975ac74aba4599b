import { headingId } from '../../documents/markdown.ts';

const HEADING = /^(#{2,6}) (.+)$/;
const FENCE = /^(?:```|~~~)/;

/** The part of a Markdown document under the heading with this id, the heading included; null if there is none. */
export function sectionOf(markdown: string, id: string): string | null {
  const taken: string[] = [];
  let level = 0;
  let isInCode = false;
  for (const line of markdown.split('\n')) {
    if (FENCE.test(line)) isInCode = !isInCode;
    const [, marks = '', title = ''] = (isInCode ? null : HEADING.exec(line)) ?? [];
    if (level > 0 && marks !== '' && marks.length <= level) break;
    if (level === 0 && marks !== '' && headingId(title) === id) level = marks.length;
    if (level > 0) taken.push(line);
  }
  return level === 0 ? null : `${taken.join('\n').trimEnd()}\n`;
}
