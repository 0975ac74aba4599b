import { knownText } from '../../../base/known-text.ts';
import { Tail } from '../tools/tail.ts';
import type { Tool } from '../tools/tools.ts';
import { type Era, HANDSHAKE_VERSIONS, type RpcRequest, SUPPORTED_VERSIONS } from './protocol.ts';
import { resultText, SERVER_INFO } from './result.ts';
import { RpcError } from './rpc-error.ts';

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
/** Tools change only with a new version of the service. */
const LIST_TTL_MS = 3_600_000;

const CAPABILITIES = { tools: { listChanged: false } };

const INSTRUCTIONS =
  'Read-only market data for crypto perpetual futures. Fields ending in _pct are percent (0.01 = one basis point); times are UTC. A positive funding rate means that longs pay shorts. Quote a rate with its venue and settlement interval, and every figure with meta.as_of and meta.url. When a ticker is uncertain, look it up with svc_search_coins first; venue names are case-sensitive, svc_get_exchanges has them.';

/** Methods that do not count as requests. Most of their results never change and are made once. */
export class FreeMethods {
  readonly #discover: Tail;
  readonly #toolList: Readonly<Record<Era, Tail>>;

  constructor(tools: readonly Tool[]) {
    const list = { tools: tools.map(({ definition }) => definition) };
    const caching = { ttlMs: LIST_TTL_MS, cacheScope: 'public' };
    this.#toolList = {
      handshake: tailOf(list, 'handshake').cached(),
      modern: tailOf({ ...list, ...caching }, 'modern').cached(),
    };
    const discovered = {
      supportedVersions: SUPPORTED_VERSIONS,
      capabilities: CAPABILITIES,
      serverInfo: SERVER_INFO,
      instructions: INSTRUCTIONS,
      ...caching,
    };
    this.#discover = tailOf(discovered, 'modern').cached();
  }

  answer(request: RpcRequest, era: Era): Tail {
    const { method, params, id } = request;
    if (method === 'tools/list') {
      if (params.cursor !== undefined)
        throw new RpcError(INVALID_PARAMS, 'All tools come on one page; leave "cursor" out', { id });
      return this.#toolList[era];
    }
    if (era === 'modern' && method === 'server/discover') return this.#discover;
    if (era === 'handshake' && method === 'ping') return tailOf({}, era);
    if (era === 'handshake' && method === 'initialize') return tailOf(handshake(params.protocolVersion), era);
    throw new RpcError(METHOD_NOT_FOUND, `There is no method "${method.slice(0, 80)}" here`, {
      id,
      status: era === 'modern' ? 404 : 200,
    });
  }
}

function handshake(wanted: unknown): object {
  const isSupported = typeof wanted === 'string' && HANDSHAKE_VERSIONS.includes(wanted);
  return {
    protocolVersion: isSupported ? wanted : HANDSHAKE_VERSIONS[0],
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
  };
}

function tailOf(result: object, era: Era): Tail {
  return Tail.of(knownText(resultText(result, era)));
}
