import { PLAN_NAMES } from '../src/accounts/plans.ts';
import { toolsOf } from '../src/doors/mcp/tools/tools.ts';
import { markdownPathOf } from '../src/doors/web/pages/market-page.ts';
import { MARKET_PAGES, TEXT_PAGES } from '../src/doors/web/pages/registry.ts';
import type { AnyOperation } from '../src/operations/operation.ts';
import { OPERATIONS } from '../src/operations/registry.ts';
import type { Parameter } from '../src/query/parameter.ts';
import { handshakeRequest } from '../test/mcp/rpc.ts';
import { neededOf, probesOf, queryOf } from '../test/rest/parameter-probes.ts';

export interface Wanted {
  group: string;
  path: string;
  /** Null: without a key. */
  plan: string | null;
  /** Follows the cursors of so many further pages. */
  furtherPages?: number;
  /** The body of a POST to the MCP endpoint, and what it asks for. */
  call?: { body: string; name: string };
}

/** Rows of most answers: enough to see order and values. */
const ROWS = '20';
const PLAN = 'business';
const EXAMPLES: Readonly<Record<string, string>> = {
  coin: 'BTC',
  exchange: 'Binance',
  venue: 'Binance',
  exchange_a: 'Binance',
  exchange_b: 'Bybit',
  long_exchange: 'Binance',
  short_exchange: 'Bybit',
};

/** Every request of a run. They are made from the descriptions of operations and pages, so new ones are included. */
export function allRequests(): Wanted[] {
  return [...OPERATIONS.flatMap(restRequests), ...mcpRequests(), ...documentRequests(), ...pageRequests()];
}

function restRequests(operation: AnyOperation): Wanted[] {
  const group = `rest/${operation.id}`;
  const path = `/api/v1${operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => operation.parameters[name]?.example ?? '')}`;
  const parameters = Object.values(operation.parameters).filter((one) => one.in === 'query');
  const has = (name: string) => operation.parameters[name] !== undefined;
  const required = neededOf(operation);
  const rows = has('limit') ? [`limit=${ROWS}`] : [];
  const wanted = (query: readonly string[], plan = PLAN, furtherPages = 0): Wanted => ({
    group,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    plan,
    furtherPages,
  });
  const withParameters = parameters.flatMap((parameter) =>
    chosenProbes(parameter).map((probe) => {
      const isRows = parameter.name === 'limit';
      return wanted([...queryOf(operation, parameter, probe), ...(isRows ? [] : rows)]);
    }),
  );
  const combined = [
    ...(has('cursor') ? [wanted([...required, 'limit=7'], PLAN, 3)] : []),
    ...(has('size_usd') && has('fees')
      ? [wanted([...required, ...rows, 'size_usd=500', 'fees=Binance:0.02'])]
      : []),
    ...(operation.formats?.names ?? []).map((format) => wanted([...required, ...rows, `format=${format}`])),
  ];
  const plans = [...PLAN_NAMES.map((plan) => wanted(required, plan)), { group, path, plan: null }];
  return unique([...plans, ...withParameters, ...combined]);
}

/** Every value that is taken, and the first two that are refused. */
function chosenProbes(parameter: Parameter) {
  if (parameter.name === 'cursor')
    return probesOf(parameter)
      .filter(({ isGood }) => !isGood)
      .slice(0, 3);
  const [good, bad] = [true, false].map((isGood) =>
    probesOf(parameter).filter((probe) => probe.isGood === isGood),
  );
  return [...(good ?? []), ...(bad ?? []).slice(0, 2)].filter(({ value }) => value !== null);
}

function unique(wanted: readonly Wanted[]): Wanted[] {
  return [
    ...new Map(wanted.map((one) => [JSON.stringify([one.path, one.plan, one.furtherPages]), one])).values(),
  ];
}

const ARGUMENTS: readonly Record<string, unknown>[] = [
  {},
  { coin: 'BTC' },
  { coin: 'BTC', exchange: 'Binance' },
  { exchange: ['Binance', 'Bybit'], limit: 5 },
  { coin: 'no-such-coin' },
  { sort: 'no-such-sort' },
];

function mcpRequests(): Wanted[] {
  const call = (group: string, method: string, name: string, params: object): Wanted => ({
    group: `mcp/${group}`,
    path: '/mcp',
    plan: PLAN,
    call: { body: handshakeRequest(method, params), name },
  });
  const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
  return [
    ...lists.map((method) => call('lists', method, method, {})),
    ...toolsOf(OPERATIONS).flatMap(({ definition: { name } }) =>
      ARGUMENTS.map((args) =>
        call(name, 'tools/call', `${name} ${JSON.stringify(args)}`, { name, arguments: args }),
      ),
    ),
  ];
}

const DOCUMENTS = [
  '/api/v1',
  '/api/v1/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/listings.ics',
  '/listings.atom',
  '/.well-known/mcp/server-card.json',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/no-such-page',
  '/api/v1/no-such-endpoint',
];

function documentRequests(): Wanted[] {
  return DOCUMENTS.map((path) => ({ group: 'documents', path, plan: null }));
}

/** Every page, its Markdown and its other files, with example names in the address. */
function pageRequests(): Wanted[] {
  const filled = (path: string) => path.replaceAll(/:(\w+)/g, (_, name) => EXAMPLES[name] ?? name);
  const group = (path: string) =>
    `pages${path.replaceAll(/[/:]/g, '/')}`.replaceAll(/\/+/g, '/').replace(/\/$/, '/home');
  const pages = MARKET_PAGES.flatMap((page): Wanted[] => {
    const query = new URLSearchParams(
      Object.entries(EXAMPLES).filter(([name]) => page.parameters.has(name) && page.label === undefined),
    );
    const ending = query.size === 0 ? '' : `?${query}`;
    const paths = [
      page.path,
      markdownPathOf(page),
      ...Object.keys(page.files ?? {}).map((file) => `${page.path}${file}`),
    ];
    return paths.map((path) => ({ group: group(page.path), path: `${filled(path)}${ending}`, plan: null }));
  });
  const texts = TEXT_PAGES.flatMap(({ path }) =>
    [path, `${path}.md`].map((one): Wanted => ({ group: 'pages/texts', path: one, plan: null })),
  );
  return [...pages, ...texts];
}
