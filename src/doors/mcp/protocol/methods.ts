import { Problem } from '../../../base/problems.ts';
import type { PromptLibrary } from '../prompts/library.ts';
import type { DocumentResources } from '../resources/resources.ts';
import type { Tool } from '../tools/tools.ts';
import { type Era, HANDSHAKE_VERSIONS, type RpcRequest, SUPPORTED_VERSIONS } from './protocol.ts';
import { resultText, SERVER_INFO } from './result.ts';
import { RpcError } from './rpc-error.ts';

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
/** The versions with a handshake have a code of their own for a resource that does not exist. */
const RESOURCE_NOT_FOUND: Readonly<Record<Era, number>> = { handshake: -32_002, modern: INVALID_PARAMS };
/** Lists and documents change only with a new version of the service. */
const CACHING = { ttlMs: 3_600_000, cacheScope: 'public' };

const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { listChanged: false, subscribe: false },
  prompts: { listChanged: false },
};

const INSTRUCTIONS =
  'Read-only market data for crypto perpetual futures. Fields ending in _pct are percent (0.01 = one basis point); times are UTC. A positive funding rate means that longs pay shorts. Quote a rate with its venue and settlement interval, and every figure with meta.as_of and meta.url. When a ticker is uncertain, look it up with svc_search_coins first; venue names are case-sensitive, svc_get_exchanges has them. Formulas, errors and the facts of every venue are resources.';

interface FreeMethodsOptions {
  tools: readonly Tool[];
  resources: DocumentResources;
  prompts: PromptLibrary;
}

/** Returns the JSON of the result. */
type Answer = (request: RpcRequest, era: Era) => string;

/** Methods that do not count as requests. Most of their results never change and are made once. */
export class FreeMethods {
  readonly #methods: ReadonlyMap<string, Answer>;

  constructor({ tools, resources, prompts }: FreeMethodsOptions) {
    this.#methods = new Map<string, Answer>([
      ['tools/list', listing('tools', () => tools.map(({ definition }) => definition))],
      ['resources/list', listing('resources', () => resources.list())],
      ['resources/templates/list', listing('resourceTemplates', () => resources.templates())],
      ['prompts/list', listing('prompts', () => prompts.list())],
      ['resources/read', (request, era) => readResource(resources, request, era)],
      ['prompts/get', (request, era) => getPrompt(prompts, request, era)],
    ]);
  }

  answer(request: RpcRequest, era: Era): string {
    const { method, params, id } = request;
    const answer = this.#methods.get(method);
    if (answer) return answer(request, era);
    if (era === 'modern' && method === 'server/discover') return DISCOVERED;
    if (era === 'handshake' && method === 'ping') return resultText({}, era);
    if (era === 'handshake' && method === 'initialize')
      return resultText(handshake(params.protocolVersion), era);
    throw new RpcError(METHOD_NOT_FOUND, `There is no method "${method.slice(0, 80)}" here`, {
      id,
      status: era === 'modern' ? 404 : 200,
    });
  }
}

const DISCOVERED = resultText(
  {
    supportedVersions: SUPPORTED_VERSIONS,
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
    ...CACHING,
  },
  'modern',
);

/** A list that comes on one page and is serialised once per protocol. */
function listing(field: string, items: () => readonly object[]): Answer {
  const made = new Map<Era, string>();
  return ({ params, id, method }, era) => {
    if (params.cursor !== undefined)
      throw new RpcError(INVALID_PARAMS, `${method} has one page; leave "cursor" out`, { id });
    let result = made.get(era);
    if (result === undefined) {
      result = resultText({ [field]: items(), ...cachingOf(era) }, era);
      made.set(era, result);
    }
    return result;
  };
}

function readResource(resources: DocumentResources, { id, params }: RpcRequest, era: Era): string {
  const { uri } = params;
  if (typeof uri !== 'string') throw new RpcError(INVALID_PARAMS, '"uri" must be text', { id });
  const contents = resources.read(uri);
  if (!contents) {
    const shown = uri.slice(0, 200);
    throw new RpcError(RESOURCE_NOT_FOUND[era], `There is no resource "${shown}"; resources/list has them`, {
      id,
      data: { uri: shown },
    });
  }
  return resultText({ contents: [contents], ...cachingOf(era) }, era);
}

function getPrompt(prompts: PromptLibrary, { id, params }: RpcRequest, era: Era): string {
  try {
    return resultText(prompts.get(params.name, params.arguments ?? {}), era);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { detail, suggestions } = error;
    throw new RpcError(INVALID_PARAMS, detail, { id, ...(suggestions ? { data: { suggestions } } : {}) });
  }
}

function cachingOf(era: Era): object {
  return era === 'modern' ? CACHING : {};
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
