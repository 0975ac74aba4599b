import { PLANS } from '../../accounts/plans.ts';
import type { JsonSchema } from '../../query/parameter.ts';
import { streamsSpent } from '../access/refusals.ts';
import type { Meta } from '../answer/meta.ts';
import type { StreamedOperation } from '../operation.ts';
import type { ProblemExample } from './openapi-problems.ts';

/** Below /api/v1. */
export function streamPath({ path }: Pick<StreamedOperation, 'path'>): string {
  return `/stream${path}`;
}

export function streamSummary({ summary }: Pick<StreamedOperation, 'summary'>): string {
  return `Stream: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
}

export function streamDescription({ path, rows }: StreamedOperation): string {
  return `Server-sent events of /api/v1${path}, with its filters, sort and fields. \`snapshot\` has the whole answer. \`change\` has \`upsert\`, the rows that are new or have changed, and \`remove\`, the identities of the rows that have left the page. \`heartbeat\` comes every 15 s, and \`end\` before the service closes the stream. A row is identified by ${rows.identity.join(', ')}. The id of an event is the as_of of its snapshot; send it as Last-Event-ID to resume. The guide is /developers/streams.`;
}

export const STREAM_SCHEMA: JsonSchema = {
  type: 'string',
  description: 'Server-sent events (text/event-stream); the data of each is JSON',
};

/** The start of a stream. */
export function streamExample(data: unknown, meta: Meta): string {
  const id = `id: ${meta.as_of}`;
  const snapshot = `event: snapshot\n${id}\ndata: ${JSON.stringify({ data, meta })}\n\n`;
  return `${snapshot}event: heartbeat\n${id}\ndata: {"as_of":"${meta.as_of}"}\n\n`;
}

export const TOO_MANY_STREAMS: ProblemExample = {
  name: 'too-many-streams',
  summary: 'As many streams as the plan allows',
  problem: streamsSpent(PLANS.demo),
};
