import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { VenueKnowledge } from '../market/intake.ts';
import type { VenueReport } from '../venues/health.ts';
import { type Batch, emptyBatch } from '../venues/observations.ts';
import { type Message, pack } from './envelope.ts';

export interface Observed {
  receivedAtMs: number;
  batch: Batch;
}

/** What the owner of a venue tells the engine's owner: what it saw since the last message, or all it knows. */
export type VenueNews =
  | { kind: 'observed'; observed: readonly Observed[] }
  | { kind: 'knowledge'; knowledge: VenueKnowledge };

export interface VenueMessage {
  slug: string;
  /** Of the venue's lease: what a former owner still sends is lower and counts for nothing. */
  fence: number;
  /** One more with each message under the same lease: a gap means that one was lost. */
  number: number;
  report: VenueReport;
  news: VenueNews;
}

/** Fast rather than small: most messages live for milliseconds. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function encodeVenueMessage({ news, ...head }: VenueMessage): Buffer {
  const body =
    news.kind === 'observed'
      ? news.observed.map(({ receivedAtMs, batch }) => ({ receivedAtMs, batch: slim(batch) }))
      : news.knowledge;
  return pack({ kind: news.kind, ...head }, zstdCompressSync(JSON.stringify(body), COMPRESSION));
}

export function decodeVenueMessage({ head, body }: Message<Record<string, unknown>>): VenueMessage | null {
  const { kind, ...rest } = head as Omit<VenueMessage, 'news'> & { kind: string };
  if (kind !== 'observed' && kind !== 'knowledge') return null;
  const content: unknown = JSON.parse(zstdDecompressSync(body).toString('utf8'));
  if (kind === 'knowledge') return { ...rest, news: { kind, knowledge: content as VenueKnowledge } };
  const observed = (content as { receivedAtMs: number; batch: Partial<Batch> }[]).map(
    ({ receivedAtMs, batch }) => ({ receivedAtMs, batch: { ...emptyBatch(), ...batch } }),
  );
  return { ...rest, news: { kind, observed } };
}

/** What the engine uses, without empty lists. What was skipped is counted where it was skipped. */
function slim(batch: Batch): Partial<Batch> {
  const { settlements: _settlements, rejected: _rejected, ignored: _ignored, ...wanted } = batch;
  return Object.fromEntries(
    Object.entries(wanted).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== null)),
  );
}

export function isEmptyForEngine(batch: Batch): boolean {
  return Object.keys(slim(batch)).length === 0;
}
