import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { VenueKnowledge } from '../intake.ts';
import { parseKnowledge } from './parse.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Everything that is known of a venue as bytes, for the database. */
export async function encodeKnowledge(knowledge: VenueKnowledge): Promise<Uint8Array> {
  return await compress(JSON.stringify(knowledge));
}

/** Throws if the bytes are damaged or have not the right shape. */
export async function decodeKnowledge(bytes: Uint8Array): Promise<VenueKnowledge> {
  const content: unknown = JSON.parse((await decompress(bytes)).toString('utf8'));
  return parseKnowledge(content, 'knowledge');
}
