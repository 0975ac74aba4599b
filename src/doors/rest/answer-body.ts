import { crc32 } from 'node:zlib';
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
  const made = crc32(`${planName} ${metaJson}`, layoutOf(rows.table.spec));
  const version = `${meta.as_of.replaceAll(/\D/g, '')}-${made.toString(36)}`;
  const lent = lentPage(rows, metaJson);
  if (lent) return new Body(lent.bytes, version, lent.giveBack);
  return new Body(Buffer.from(envelope(answer.data, metaJson)), version);
}

const layouts = new WeakMap<TableSpec, number>();

/** Changes with the columns: a snapshot that outlived an upgrade is another answer with another field in it. */
function layoutOf(spec: TableSpec): number {
  let layout = layouts.get(spec);
  if (layout === undefined) {
    layout = crc32(JSON.stringify(spec.columns.map(({ name, type }) => [name, type])));
    layouts.set(spec, layout);
  }
  return layout;
}

function envelope(data: string, metaJson: string): string {
  return `{"data":${data},"meta":${metaJson}}`;
}
