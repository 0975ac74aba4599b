import { textHash } from '../../../base/text-hash.ts';
import type { TableSpec } from '../../../market/table.ts';
import { metaJson } from '../../../operations/meta-json.ts';
import type { Answer } from '../../../operations/operation.ts';
import { Body } from './body.ts';
import { lentPage } from './page-buffers.ts';

/**
 * The body of an answer. A page of a snapshot is written into a lent buffer where that is possible. `questionHash` is
 * that of the plan and the address: with the moment they decide what the page is, and with how rows are written.
 */
export function answerBody(answer: Answer, questionHash: number): Body {
  const { meta, rows } = answer;
  const metaText = metaJson(meta);
  if (!rows) return Body.of(envelope(answer.data, metaText));
  const made = questionHash ^ layoutOf(rows.table.spec);
  // Without the lowest bit it is a number that V8 writes quickly.
  const version = `${digitsOf(meta.as_of)}-${made >>> 1}`;
  const lent = lentPage(rows, metaText);
  if (lent) return new Body(lent.bytes, version, lent.giveBack);
  return new Body(Buffer.from(envelope(answer.data, metaText)), version);
}

let lastTime = { text: '', digits: '' };

/** One answer after the other is of the same moment. */
function digitsOf(time: string): string {
  if (lastTime.text !== time) lastTime = { text: time, digits: time.replaceAll(/\D/g, '') };
  return lastTime.digits;
}

const layouts = new WeakMap<TableSpec, number>();

/** Changes with the columns: a snapshot that outlived an upgrade is another answer with another field in it. */
function layoutOf(spec: TableSpec): number {
  let layout = layouts.get(spec);
  if (layout === undefined) {
    layout = textHash(JSON.stringify(spec.columns.map(({ name, type }) => [name, type])));
    layouts.set(spec, layout);
  }
  return layout;
}

function envelope(data: string, metaJson: string): string {
  return `{"data":${data},"meta":${metaJson}}`;
}
