import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { VenueKnowledge } from '../market/intake.ts';
import type { VenueReport } from '../venues/health.ts';
import { type Batch, emptyBatch } from '../venues/observations.ts';
import { parseVenueReport } from '../venues/parse-report.ts';
import { type Message, pack } from './envelope.ts';
import { parseBatch, parseKnowledge, type SentBatch } from './parse-observations.ts';
import { count, listOf, MalformedMessageError, number, objectOf, text } from './shape.ts';

export interface Observed {
  receivedAtMs: number;
  batch: Batch;
}

/** Sent by the owner of a venue to the engine: the observations since the last message, or everything it knows. */
export type VenueNews =
  | { kind: 'observed'; observed: readonly Observed[] }
  | { kind: 'knowledge'; knowledge: VenueKnowledge };

export interface VenueMessage {
  slug: string;
  /** The fencing number of the venue's lease. A former owner has a lower one, and its messages are dropped. */
  fence: number;
  /** Increases by one with each message under the same lease, so that a gap shows a lost message. */
  number: number;
  report: VenueReport;
  news: VenueNews;
}

/** Fast rather than small: a message is sent once and not stored. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function encodeVenueMessage({ news, ...head }: VenueMessage): Buffer {
  const body =
    news.kind === 'observed'
      ? news.observed.map(({ receivedAtMs, batch }) => ({ receivedAtMs, batch: slim(batch) }))
      : news.knowledge;
  return pack({ kind: news.kind, ...head }, zstdCompressSync(JSON.stringify(body), COMPRESSION));
}

const observedList = listOf(
  objectOf<{ receivedAtMs: number; batch: SentBatch }>({ receivedAtMs: number, batch: parseBatch }),
);

/** Null for a message of another kind; throws if the message does not have the right shape. */
export function decodeVenueMessage({ head, body }: Message): VenueMessage | null {
  const { kind } = head;
  if (kind !== 'observed' && kind !== 'knowledge') return null;
  const report = parseVenueReport(head.report);
  if (!report) throw new MalformedMessageError('report is no report of a venue');
  const rest = {
    slug: text(head.slug, 'slug'),
    fence: count(head.fence, 'fence'),
    number: count(head.number, 'number'),
    report,
  };
  const content: unknown = JSON.parse(zstdDecompressSync(body).toString('utf8'));
  if (kind === 'knowledge')
    return { ...rest, news: { kind, knowledge: parseKnowledge(content, 'knowledge') } };
  const observed = observedList(content, 'observed').map(({ receivedAtMs, batch }) => ({
    receivedAtMs,
    batch: { ...emptyBatch(), ...batch },
  }));
  return { ...rest, news: { kind, observed } };
}

/** The part that the engine uses, without empty lists. The owner of the venue counts the skipped rows. */
function slim(batch: Batch): SentBatch {
  const { settlements: _settlements, rejected: _rejected, ignored: _ignored, isStreamed, ...wanted } = batch;
  const sent = Object.fromEntries(
    Object.entries(wanted).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== null)),
  );
  const isKindUsed = batch.bookTops.length > 0 || batch.marketFigures.length > 0;
  return isStreamed && isKindUsed ? { ...sent, isStreamed } : sent;
}

export function isEmptyForEngine(batch: Batch): boolean {
  return Object.keys(slim(batch)).length === 0;
}
