import { NAME, TITLE, VERSION } from '../../documents/identity.ts';
import type { Era } from './protocol.ts';

export const SERVER_INFO = { name: NAME, title: TITLE, version: VERSION };

/** What a result has in addition, by protocol. */
const EXTRA_FIELDS: Readonly<Record<Era, object>> = {
  handshake: {},
  modern: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO } },
};

const ENDS: Readonly<Record<Era, string>> = { handshake: endOf('handshake'), modern: endOf('modern') };

/** The JSON of a result. */
export function resultText(result: object, era: Era): string {
  return JSON.stringify({ ...result, ...EXTRA_FIELDS[era] });
}

/** The end of a result that was written field by field. */
export function resultEnd(era: Era): string {
  return ENDS[era];
}

function endOf(era: Era): string {
  const fields = JSON.stringify(EXTRA_FIELDS[era]).slice(1);
  return fields === '}' ? fields : `,${fields}`;
}
