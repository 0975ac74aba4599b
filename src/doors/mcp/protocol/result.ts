import { NAME, TITLE, VERSION } from '../../documents/identity.ts';
import type { Era } from './protocol.ts';

export const SERVER_INFO = { name: NAME, title: TITLE, version: VERSION };

/** What a result has in addition, by protocol. */
const EXTRA_FIELDS: Readonly<Record<Era, object>> = {
  handshake: {},
  modern: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO } },
};

/** A result as the end of its JSON-RPC response: everything after `"result":`. */
export function resultText(result: object, era: Era): string {
  return `${JSON.stringify({ ...result, ...EXTRA_FIELDS[era] })}}`;
}

/** The end of a response whose result was written field by field: closes the result and the message. */
export const RESULT_END: Readonly<Record<Era, string>> = {
  handshake: endOf('handshake'),
  modern: endOf('modern'),
};

function endOf(era: Era): string {
  const fields = Object.entries(EXTRA_FIELDS[era]).map(
    ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `${fields.join('')}}}`;
}
