import { crc32 } from 'node:zlib';
import type { Answer } from '../../operations/operation.ts';
import { Body } from './body.ts';
import { lentPage } from './page-buffers.ts';

/** The body of an answer. A page of a snapshot is written into a lent buffer where that is possible. */
export function answerBody(answer: Answer, planName: string): Body {
  const { meta, rows } = answer;
  const metaJson = JSON.stringify(meta);
  if (!rows) return Body.of(envelope(answer.data, metaJson));
  // What one address gives from a snapshot depends on the plan and the moment alone, so these name it.
  const version = `${meta.as_of.replaceAll(/\D/g, '')}-${crc32(`${planName} ${metaJson}`).toString(36)}`;
  const lent = lentPage(rows, metaJson);
  if (lent) return new Body(lent.bytes, version, lent.giveBack);
  return new Body(Buffer.from(envelope(answer.data, metaJson)), version);
}

function envelope(data: string, metaJson: string): string {
  return `{"data":${data},"meta":${metaJson}}`;
}
