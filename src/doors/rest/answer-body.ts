import { textHash } from '../../base/text-hash.ts';
import type { TableSpec } from '../../market/table.ts';
import type { Answer } from '../../operations/operation.ts';
import { Body } from './body.ts';
import { lentPage } from './page-buffers.ts';

/** The body of an answer. A page of a snapshot is written into a lent buffer where that is possible. */
export function answerBody(answer: Answer, planName: string): Body {
  const { meta, rows } = answer;
  const metaJson = JSON.stringify(meta);
  if (!rows) return Body.of(envelope(answer.data, metaJson));
  // What one address gives from a snapshot depends on the plan and the moment alone, and on how rows are written.
  const made = textHash(metaJson, textHash(planName, layoutOf(rows.table.spec)));
  const version = `${digitsOf(meta.as_of)}-${made.toString(36)}`;
  const lent = lentPage(rows, metaJson);
  if (lent) return new Body(lent.bytes, version, lent.giveBack);
  return new Body(Buffer.from(envelope(answer.data, metaJson)), version);
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
