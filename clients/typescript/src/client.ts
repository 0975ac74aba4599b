import type { Row } from './followed-rows.ts';
import { ENDPOINTS, type Resources } from './generated.ts';
import { type Lake, lakeOf } from './lake.ts';
import { pagesOf } from './paging.ts';
import {
  type AllOptions,
  type Answer,
  type Params,
  type PerpwireOptions,
  queryOf,
  type RequestOptions,
  type StreamOptions,
} from './request.ts';
import { follow } from './stream.ts';
import { Transport } from './transport.ts';

type Branch = Record<string, unknown>;
type Endpoint = (typeof ENDPOINTS)[number];

/** The client. Its properties are the endpoints: `perpwire.funding.list()`, `perpwire.funding.coin('BTC')` and so on. */
export type Perpwire = Resources & {
  /** Rows of the Parquet files of the service. Needs the package hyparquet. */
  lake: Lake;
};

export const Perpwire = class {
  constructor(options: PerpwireOptions) {
    if (options.apiKey === '')
      throw new TypeError('apiKey is missing; a key is shown once when it is created');
    if (!/^https?:\/\//.test(options.baseUrl))
      throw new TypeError('baseUrl must be an address such as https://perpwire.example');
    const transport = new Transport(options);
    (this as unknown as Branch).lake = lakeOf(transport);
    for (const endpoint of ENDPOINTS) attach(this as unknown as Branch, endpoint, transport);
  }
} as unknown as new (
  options: PerpwireOptions,
) => Perpwire;

/** Adds the methods of an endpoint to the object at its place. */
function attach(root: Branch, endpoint: Endpoint, transport: Transport): void {
  const names: string[] = [...endpoint.at];
  const method = endpoint.isList ? null : names.pop();
  let branch = root;
  for (const name of names) {
    branch[name] ??= {};
    branch = branch[name] as Branch;
  }
  if (method) branch[method] = methodOf(endpoint, transport);
  else Object.assign(branch, listOf(endpoint, transport));
}

function methodOf({ path, pathParameter }: Endpoint, transport: Transport): unknown {
  if (pathParameter === null)
    return (params: Params = {}, { signal }: RequestOptions = {}) =>
      transport.get(`${path}${queryOf(params)}`, signal, true);
  return (value: string, params: Params = {}, { signal }: RequestOptions = {}) =>
    transport.get(
      `${path.replace(`{${pathParameter}}`, encodeURIComponent(value))}${queryOf(params)}`,
      signal,
      true,
    );
}

function listOf({ path, rowsField, stream: followed }: Endpoint, transport: Transport): object {
  /** A page behind a cursor is read once, so it is not kept. */
  const list = (params: Params = {}, { signal }: RequestOptions = {}) =>
    transport.get(`${path}${queryOf(params)}`, signal, params.cursor === undefined) as Promise<
      Answer<unknown>
    >;
  async function* all(params: Params = {}, options: AllOptions = {}): AsyncGenerator<Row, void, undefined> {
    const page = (own: Params) => list(own, options);
    let read = 0;
    for await (const { data, meta } of pagesOf(page, ({ meta }) => meta.next_cursor, params)) {
      const rows = (rowsField === null ? data : (data as Row)[rowsField]) as readonly Row[];
      read += rows.length;
      options.onPage?.({ rows: read, total: meta.total });
      // `yield*` would await every row once more.
      for (const row of rows) yield row;
    }
  }
  if (followed === null) return { list, all };
  const stream = (params: Params = {}, options: StreamOptions<Row, Row> = {}) =>
    follow(transport, { path: `${path}${queryOf(params)}`, params, list: followed, rowsField }, options);
  return { list, all, stream };
}
