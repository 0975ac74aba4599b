import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/keys/directory.ts';
import type { Plan } from '../../accounts/plans.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Problem } from '../../base/problems.ts';
import { LakeRefused, LakeUnavailable } from '../../lake/bucket/faults.ts';
import { dayText } from '../../lake/build.ts';
import {
  LakeError,
  type LakeFile,
  type Manifest,
  type ManifestDay,
  manifestText,
} from '../../lake/files/manifest.ts';
import type { LakeStore } from '../../lake/files/store.ts';
import {
  firstVisibleDayMs,
  isDeepEnough,
  isOldEnough,
  type LakeLimits,
  visiblePart,
} from '../../lake/visible.ts';
import type { Entrance } from '../../operations/access/entrance.ts';
import { rateHeaders } from '../../operations/access/refusals.ts';
import { MEDIA_TYPES } from '../../operations/format.ts';
import { Body } from '../http/answers/body.ts';
import { listsTag } from '../http/answers/negotiate.ts';
import { sendBody } from '../http/answers/send-body.ts';
import { API_HEADERS, JSON_TYPE, PREFLIGHT_HEADERS, VARY } from '../http/common-headers.ts';
import { credentialIn } from '../http/credential.ts';
import { byteRange } from '../http/range.ts';
import { OpenFiles } from './open-files.ts';

interface LakeOptions {
  entrance: Entrance;
  store: LakeStore;
  metrics: Metrics;
  log: Log;
}

const SCOPE = { scope: 'history:read' } as const;
const EXPOSED = `${API_HEADERS['access-control-expose-headers']}, Accept-Ranges, Content-Range`;
const FILE_HEADERS = {
  ...API_HEADERS,
  'access-control-expose-headers': EXPOSED,
  'accept-ranges': 'bytes',
  // A file never changes. Others must not get it from a cache without a key.
  'cache-control': 'private, max-age=31536000, immutable',
  'content-type': MEDIA_TYPES.parquet,
  vary: 'Authorization, X-Api-Key',
} as const;

/** The files of the lake: `GET /lake/manifest.json` and what it lists, with a key. */
export function lakeDoor({
  entrance,
  store,
  metrics,
  log,
}: LakeOptions): (server: FastifyInstance) => Promise<void> {
  const manifests = new ManifestBodies();
  const openFiles = new OpenFiles();
  const counted = (operation: 'lake-manifest' | 'lake-file', status: number) =>
    metrics.requests.inc({ operation, status });

  const callerOf = async (request: FastifyRequest): Promise<Caller> => {
    const caller = await entrance.identify(credentialIn(request.headers), request.clientAddress);
    await entrance.checkScope(SCOPE, caller);
    return caller;
  };

  /** A refusal counts as those of other endpoints do. */
  const refused = async (caller: Caller, problem: Problem): Promise<Problem> => {
    await entrance.admit(SCOPE, caller);
    counted('lake-file', problem.status);
    return problem;
  };

  const sendManifest = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = await callerOf(request);
    const { states } = await entrance.admit(SCOPE, caller);
    const body = manifests.of(await store.manifest(), caller.plan, entrance.clock.nowMs());
    counted('lake-manifest', 200);
    return await sendBody(request, reply, body, {
      ...API_HEADERS,
      ...rateHeaders(states),
      'cache-control': 'private, no-cache',
      'content-type': JSON_TYPE,
      vary: VARY,
    });
  };

  const sendFile = async (
    request: FastifyRequest,
    reply: FastifyReply,
    before: Promise<unknown>,
  ): Promise<FastifyReply> => {
    const caller = await callerOf(request);
    const { dataset, name } = request.params as { dataset: string; name: string };
    const { day, file } = await foundFile(store, `${dataset}/${name}`);
    const hidden = hiddenBy(caller.plan, day, file, entrance.clock.nowMs());
    if (hidden) throw await refused(caller, hidden);
    const etag = `"${file.sha256}"`;
    reply.headers({ ...FILE_HEADERS, etag });
    if (listsTag(request.headers['if-none-match'], etag)) {
      counted('lake-file', 304);
      reply.headers(await entrance.rateHeadersOf(caller));
      return reply.removeHeader('content-type').code(304).send();
    }
    // An If-Range of another version asks for the whole file.
    const ifRange = request.headers['if-range'];
    const range =
      ifRange === undefined || ifRange === etag ? byteRange(request.headers.range, file.bytes) : null;
    if (range === 'unsatisfiable')
      throw await refused(
        caller,
        new Problem('range-not-satisfiable', `${file.path} has ${file.bytes} bytes; ask for some of them.`, {
          headers: { 'content-range': `bytes */${file.bytes}` },
        }),
      );
    await refuseDamaged(store, file);
    const { start, end } = range ?? { start: 0, end: file.bytes - 1 };
    const status = range === null ? 200 : 206;
    counted('lake-file', status);
    reply.code(status).header('content-length', end - start + 1);
    if (range !== null) reply.header('content-range', `bytes ${start}-${end}/${file.bytes}`);
    if (request.method === 'HEAD') return reply.headers(await entrance.rateHeadersOf(caller)).send('');
    const close = openFiles.open(caller.accountId);
    try {
      // A small part on the month only: a reader sends several for each file of a year within seconds.
      if (2 * (end - start + 1) > file.bytes) await entrance.admit(SCOPE, caller);
      else await entrance.countOnMonth(caller);
      reply.headers(await entrance.rateHeadersOf(caller));
      await before;
      reply.hijack();
      reply.raw.writeHead(status, reply.getHeaders() as Record<string, string>);
      // A client that goes away ends the reading.
      await pipeline(store.read(file.path, start, end), reply.raw).catch((error) => {
        if (error instanceof LakeError) log.warn({ reason: error.message }, 'a file of the lake broke off');
        reply.raw.destroy();
      });
    } finally {
      close();
    }
    return reply;
  };

  return async (server) => {
    for (const [url, handler] of [
      ['/lake/manifest.json', sendManifest],
      [
        '/lake/:dataset/:name',
        (request: FastifyRequest, reply: FastifyReply) =>
          openFiles.inLine(request.raw.socket, (before) => sendFile(request, reply, before)),
      ],
    ] as const) {
      server.route({
        method: ['GET', 'HEAD'],
        url,
        handler: async (request, reply) =>
          await handler(request, reply).catch((error) => {
            throw error instanceof LakeUnavailable || error instanceof LakeRefused
              ? unavailable(error, log)
              : error;
          }),
      });
      server.route({
        method: 'OPTIONS',
        url,
        handler: async (request, reply) =>
          reply
            .code(204)
            .headers({ ...PREFLIGHT_HEADERS, 'x-request-id': request.id })
            .send(),
      });
    }
  };
}

function unavailable(error: LakeUnavailable | LakeRefused, log: Log): Problem {
  log.warn({ reason: error.message }, 'the lake is unavailable');
  return new Problem('snapshot-unavailable', 'The files cannot be reached just now. Retry in a minute.', {
    headers: { 'retry-after': '60' },
  });
}

async function foundFile(store: LakeStore, path: string): Promise<{ day: ManifestDay; file: LakeFile }> {
  for (const day of (await store.manifest()).days) {
    if (!path.includes(`/${day.day}`)) continue;
    const file = day.files.find((one) => one.path === path);
    if (file) return { day, file };
  }
  throw new Problem('not-found', 'There is no such file; /lake/manifest.json lists all.');
}

/** Why the plan does not include the file; null if it does. */
function hiddenBy(plan: Plan, day: ManifestDay, file: LakeFile, nowMs: number): Problem | null {
  if (!isDeepEnough(file, plan, nowMs))
    return new Problem(
      'plan-limit',
      `The ${plan.title} plan includes ${plan.historyDays} days of history, so its files start with the day ${dayText(firstVisibleDayMs(plan, nowMs))}; this one has rows of ${file.from}.`,
    );
  if (!isOldEnough(day, plan, nowMs))
    return new Problem(
      'plan-limit',
      `The ${plan.title} plan includes data that is at least ${plan.delaySeconds} s old; this file has newer rows.`,
    );
  return null;
}

/** Sending a part of another file would look like the data itself. */
async function refuseDamaged(store: LakeStore, { path, bytes }: LakeFile): Promise<void> {
  const size = await store.size(path);
  if (size !== bytes)
    throw new Error(`${path} of the lake has ${size} bytes, and the manifest says ${bytes}`);
}

/** The manifest as each plan sees it, compressed once. */
class ManifestBodies {
  #manifest: Manifest | null = null;
  readonly #bodies = new Map<string, Body>();

  of(manifest: Manifest, limits: LakeLimits, nowMs: number): Body {
    const part = visiblePart(manifest, limits, nowMs);
    const key = `${firstVisibleDayMs(limits, nowMs)} ${part.days.at(-1)?.hash}`;
    if (manifest !== this.#manifest) this.#bodies.clear();
    this.#manifest = manifest;
    let body = this.#bodies.get(key);
    if (!body) {
      body = Body.of(manifestText(part));
      this.#bodies.set(key, body);
    }
    return body;
  }
}
