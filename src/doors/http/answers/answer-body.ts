import { isAscii } from '../../../base/known-text.ts';
import { textHash } from '../../../base/text-hash.ts';
import type { TableSpec } from '../../../market/tables/table.ts';
import { type Answer, answerJson, answerText } from '../../../operations/answer/answer.ts';
import { Body } from './body.ts';
import { PageBuffers } from './page-buffers.ts';

/** Room for 100 rows of the widest table. Longer pages are rare and are written as text. */
const pages = new PageBuffers(128 * 1024, 64);

/**
 * The body of an answer, in a lent buffer where possible. A list of whole rows is a function of its snapshot, the plan
 * and the address, so its ETag is made from these: `queryHash` is the hash of plan and address. Other answers have the
 * hash of their bytes.
 */
export function answerBody(answer: Answer, queryHash: number): Body {
  const { fields, rows, meta } = answer;
  const isOfSnapshot = fields === null || answer.isOfSnapshot;
  const version =
    isOfSnapshot && rows?.columns === null
      ? `${digitsOf(meta.as_of)}-${queryHash ^ layoutHash(rows.table.spec)}`
      : undefined;
  if (rows === null) return Body.of(answerText(answer));
  const { head, tail } = answerJson(answer);
  // Meta is always ASCII, and so is the head of a plain list.
  const isPlain = fields === null || isAscii(head);
  const lent = isPlain ? pages.write([head, rows, tail]) : null;
  if (lent) return new Body(lent.body, version, lent.giveBack);
  return new Body(Buffer.from(answerText(answer)), version);
}

let lastTime = { text: '', digits: '' };

/** Consecutive answers usually share one as_of, so the last result is cached. */
function digitsOf(time: string): string {
  if (lastTime.text !== time) lastTime = { text: time, digits: time.replaceAll(/\D/g, '') };
  return lastTime.digits;
}

const layouts = new WeakMap<TableSpec, number>();

/** Changes with the columns: after an upgrade that adds a field, the same snapshot gives another answer. */
function layoutHash(spec: TableSpec): number {
  let layout = layouts.get(spec);
  if (layout === undefined) {
    layout = textHash(JSON.stringify(spec.columns.map(({ name, type }) => [name, type])));
    layouts.set(spec, layout);
  }
  return layout;
}
