import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { ManualClock } from '../../src/base/clock.ts';
import { MAX_TEXT_BYTES } from '../../src/doors/mcp/tools/result-words.ts';
import { toolsOf } from '../../src/doors/mcp/tools/tools.ts';
import type { AnyOperation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import type { Parameter } from '../../src/query/parameter.ts';
import { type Running, runService } from '../support/service.ts';
import { collectEverything } from './everything.ts';
import { callTool } from './rpc.ts';

/** Values that are mostly valid, and sometimes wrong in the ways in which callers really err. */
function anyValue(parameter: Parameter): fc.Arbitrary<unknown> {
  const { schema, example } = parameter;
  const bad = fc.constantFrom(
    'nonsense',
    '-1',
    '99999',
    'BTC,,ETH',
    'binance',
    parameter.in === 'path' ? '?' : '',
  );
  const choices = Array.isArray(schema.enum) ? fc.constantFrom(...schema.enum) : fc.constant(example);
  const good: fc.Arbitrary<unknown> =
    parameter.name === 'cursor'
      ? fc.constant('made-up')
      : parameter.name.includes('exchange') && parameter.isList
        ? fc.constantFrom('Binance', ['Binance', 'Bybit'], 'Bybit,Binance')
        : parameter.name === 'coin'
          ? fc.constantFrom('BTC', 'eth', 'NOPE', ...(parameter.isList ? [['btc', 'ETH']] : []))
          : schema.type === 'boolean'
            ? fc.boolean()
            : schema.type === 'integer' && !schema.enum
              ? fc.integer({
                  min: Number(schema.minimum ?? 0),
                  max: Math.min(Number(schema.maximum ?? 50), Number(schema.minimum ?? 0) + 60),
                })
              : schema.type === 'number'
                ? fc.constantFrom(0, 0.01, -0.005, 1000, '0.02')
                : choices;
  return fc.oneof({ arbitrary: good, weight: 6 }, { arbitrary: bad, weight: 1 });
}

function argumentsOf(parameters: readonly Parameter[]): fc.Arbitrary<Record<string, unknown>> {
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const all = Object.fromEntries(parameters.map((parameter) => [parameter.name, anyValue(parameter)]));
  const names = Object.keys(all);
  // A few at a time: with all of them nothing would ever match.
  return fc
    .subarray(names, { maxLength: Math.min(3, names.length) })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(
          [...new Set([...required, ...chosen])].map((name) => [name, all[name] ?? fc.constant('')]),
        ),
      ),
    );
}

suite('REST and MCP', () => {
  let running: Running;
  before(async () => {
    // A manual clock, so that both see the same snapshot.
    running = await runService({
      venues: ['binance', 'bybit'],
      coins: 12,
      clock: new ManualClock(Date.now()),
    });
    await collectEverything(running);
  });
  after(() => running.stop());

  for (const { operation, definition } of toolsOf(OPERATIONS)) {
    test(`${definition.name}: same data, same meta, same text of errors as ${operation.path}`, async () => {
      const ajv = new Ajv2020({ strict: true, formats: { 'date-time': true, date: true } });
      const fits: ValidateFunction = ajv.compile(definition.outputSchema ?? {});
      const parameters = Object.values(operation.parameters).filter(({ isRestOnly }) => !isRestOnly);
      const seen = { good: 0, refused: 0 };
      const key = await freshKey(running);
      await fc.assert(
        fc.asyncProperty(argumentsOf(parameters), async (args) => {
          const rest = await restAnswer(running, key, operation.path, args);
          const tool = await callTool(running.service.baseUrl, key, definition.name, args);
          const [first] = tool.content;
          if (rest.status === 200) {
            seen.good++;
            const { data, meta } = rest.body as { data: unknown; meta: Record<string, unknown> };
            assert.equal(tool.isError, undefined, first?.text ?? 'no text');
            // Each call counts, so the usage report differs by one request.
            if (operation.id !== 'usage') assert.deepEqual(tool.structuredContent?.data, data);
            assert.deepEqual(tool.structuredContent?.meta, meta);
            assert.ok(fits(tool.structuredContent), JSON.stringify(fits.errors));
            const lines = (first?.text ?? '').split('\n');
            assert.match(lines[0] ?? '', /^[A-Z0-9].+ As of .+\.$/);
            assert.doesNotMatch(first?.text ?? '', /undefined|NaN|\[object/);
            assert.ok(Buffer.byteLength(first?.text ?? '') <= MAX_TEXT_BYTES);
            assert.equal(lines.at(-1), meta.url);
            const { next_cursor } = meta;
            if (next_cursor) assert.equal(lines.at(-2), `Next page: cursor ${next_cursor}`);
            const rows = rowsIn(data);
            const leading = operation.shortRows?.leading ?? [];
            const table = lines.filter((line) => line.startsWith('| '));
            if (rows.length > 0 && leading.length > 0) {
              const names = cellsIn(table[0] ?? '');
              assert.deepEqual(
                names,
                leading.filter((name) => names.includes(name)),
              );
              for (const [i, line] of table.slice(2).entries())
                assert.deepEqual(cellsIn(line), shownCells(operation, rows[i] ?? {}, names));
            } else assert.deepEqual(table, []);
          } else {
            seen.refused++;
            assert.equal(tool.isError, true, JSON.stringify(rest.body));
            assert.equal(first?.text, (rest.body as { detail: string }).detail);
            assert.equal(tool.structuredContent, undefined);
          }
        }),
        { numRuns: parameters.length === 0 ? 3 : 60, seed: 8 },
      );
      assert.ok(seen.good > 0, 'some calls were good');
      if (parameters.length > 0) assert.ok(seen.refused > 0, 'some were refused');
    });

    test(`${definition.name}: takes every parameter of ${operation.path} except fields and format`, async () => {
      const { body } = await running.get('/api/v1/openapi.json');
      const { parameters = [] } = (body as OpenApi).paths[`/api/v1${operation.path}`]?.get ?? {};
      const taken = Object.keys(definition.inputSchema.properties as object);
      assert.deepEqual(
        taken.toSorted(),
        parameters
          .map(({ name }) => name)
          .filter((name) => name !== 'fields' && name !== 'format')
          .toSorted(),
      );
    });

    test(`${definition.name}: refuses an argument that it does not have`, async () => {
      const key = await freshKey(running);
      const properties = definition.inputSchema.properties as Record<string, unknown>;
      const [near = ''] = Object.keys(properties);
      const sent = `${near}_x`;
      const { isError, content } = await callTool(running.service.baseUrl, key, definition.name, {
        ...requiredArguments(operation),
        [sent]: 1,
      });
      assert.equal(isError, true);
      assert.match(content[0]?.text ?? '', new RegExp(`^${definition.name} .+"${sent}"\\.$`));
      // The tool without arguments has no close ones.
      assert.equal(content[1]?.text.startsWith(`Close matches: ${near}`), near === '' ? undefined : true);
    });

    test(`${definition.name}: refuses fields, and takes null for an argument that it does not have`, async () => {
      const key = await freshKey(running);
      const call = (fields: unknown) =>
        callTool(running.service.baseUrl, key, definition.name, { ...requiredArguments(operation), fields });
      const refused = await call(['coin']);
      assert.equal(refused.isError, true);
      assert.match(refused.content[0]?.text ?? '', /"fields"/);
      assert.equal((await call(null)).isError, undefined);
    });
  }

  test('a tool with another argument than the one that was meant does not answer', async () => {
    const key = await freshKey(running);
    const args = { size_usd: 1000, max_entry_cost: 0.05 };
    const { isError, content, structuredContent } = await callTool(
      running.service.baseUrl,
      key,
      'svc_get_spreads',
      args,
    );
    assert.deepEqual(
      { isError, structuredContent, texts: content.map(({ text }) => text) },
      {
        isError: true,
        structuredContent: undefined,
        texts: [
          'svc_get_spreads has no argument "max_entry_cost".',
          'Close matches: max_entry_cost_pct, min_entry_cost_pct, max_exit_cost_pct',
        ],
      },
    );
  });
});

interface OpenApi {
  paths: Readonly<Record<string, { get: { parameters?: readonly { name: string }[] } }>>;
}

const requiredArguments = ({ parameters }: AnyOperation) =>
  Object.fromEntries(
    Object.values(parameters)
      .filter(({ isRequired }) => isRequired)
      .map(({ name, example }) => [name, example]),
  );

/** A key with its own windows, which never reset because the clock does not move. */
async function freshKey({ service }: Running): Promise<string> {
  const { accounts, keys } = service.accounts;
  const account = await accounts.create({ name: 'parity', plan: 'business' });
  return (await keys.create({ accountId: account.id, name: 'parity', kind: 'test' })).text;
}

async function restAnswer(
  running: Running,
  key: string,
  path: string,
  args: Record<string, unknown>,
): Promise<{ status: number; body: unknown }> {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(args)) {
    if (path.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
    else for (const one of [value].flat()) query.append(name, String(one));
  }
  const reply = await running.get(`/api/v1${filled}?${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: reply.status, body: reply.body };
}

type Row = Readonly<Record<string, unknown>>;

/** The rows of an answer, those of history with the fields of their series. */
function rowsIn(data: unknown): Row[] {
  if (Array.isArray(data)) return data as Row[];
  const { rates, spreads, series } = data as Record<string, Row[] | undefined>;
  if (!series) return rates ?? spreads ?? [];
  return series.flatMap((one) =>
    ((one.daily ?? one.settlements ?? []) as Row[]).map((point) => ({ ...one, ...point })),
  );
}

const cellsIn = (line: string) => line.slice(2, -2).split(' | ');

function shownCells({ shortRows }: AnyOperation, row: Row, names: readonly string[]): string[] {
  const text = (value: unknown) =>
    value === null ? '?' : Array.isArray(value) ? value.join(' ') : String(value);
  return names.map((name) => {
    const interval = shortRows?.intervals?.[name];
    return interval === undefined ? text(row[name]) : `${text(row[name])}/${text(row[interval])}h`;
  });
}
