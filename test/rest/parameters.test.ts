import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { AnyOperation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import type { Parameter } from '../../src/query/parameter.ts';
import { neededOf, type ParameterProbe, probesOf, queryOf } from './parameter-probes.ts';
import { fillEveryPart, metaOf, problemOf, type Rest, startRest } from './rest-service.ts';

/** Fewer than the 600 that the plan allows in a minute. */
const REQUESTS_PER_MINUTE = 500;

/** Every parameter of every operation, from its own description, so that new ones are included. */
suite('every parameter of every operation', () => {
  let rest: Rest;
  let sent = 0;
  before(async () => {
    rest = await startRest();
    await fillEveryPart(rest);
  });
  after(() => rest.stop());

  const get = async (operation: AnyOperation, query: string) => {
    if (++sent % REQUESTS_PER_MINUTE === 0) rest.clock.advanceMs(61_000);
    const path = operation.path.replaceAll(
      /\{(\w+)\}/g,
      (_, name) => operation.parameters[name]?.example ?? '',
    );
    return await rest.get(`/api/v1${path}?${query}`);
  };

  for (const operation of OPERATIONS) {
    const parameters = Object.values(operation.parameters).filter((one) => one.in === 'query');
    suite(`GET ${operation.path}`, () => {
      test('answers without any that is not required', async () => {
        const reply = await get(operation, neededOf(operation).join('&'));
        assert.equal(reply.status, 200, reply.text.slice(0, 300));
      });

      for (const parameter of parameters) {
        suite(parameter.name, () => {
          for (const probe of probesOf(parameter))
            test(`${probe.what}: ${probe.isGood ? 'taken' : '400'}`, () =>
              check(operation, parameter, probe));
        });
      }
    });

    const check = async (op: AnyOperation, parameter: Parameter, probe: ParameterProbe) => {
      const value = probe.value === CURSOR ? await cursorOf(op) : probe.value;
      const query = queryOf(op, parameter, { ...probe, value });
      const reply = await get(op, query.join('&'));
      if (probe.isGood) {
        assert.equal(reply.status, 200, `${query.join('&').slice(0, 200)}: ${reply.text.slice(0, 300)}`);
        return;
      }
      const { detail } = problemOf(rest, reply, 400, 'invalid-parameter');
      assert.ok(detail.includes(`"${parameter.name}"`), `"${detail}" names the parameter`);
      for (const allowed of probe.allowed)
        assert.ok(detail.includes(allowed), `"${detail}" says "${allowed}"`);
    };
    const cursorOf = async (op: AnyOperation) =>
      metaOf(await get(op, [...neededOf(op), 'limit=1'].join('&'))).next_cursor ?? null;

    const crossed = parameters.flatMap(({ name }) => {
      const other = name.replace(/^min_/, 'max_');
      return name.startsWith('min_') && parameters.some((one) => one.name === other) ? [[name, other]] : [];
    });
    for (const [min = '', max = ''] of crossed) {
      test(`GET ${operation.path} with ${min} above ${max}: 400 naming both`, async () => {
        const reply = await get(operation, [...neededOf(operation), `${min}=2`, `${max}=1`].join('&'));
        const { detail } = problemOf(rest, reply, 400, 'invalid-parameter');
        assert.ok(detail.includes(`"${min}"`) && detail.includes(`"${max}"`), detail);
      });
    }
  }
});

suite('rows of every list', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest();
    await fillEveryPart(rest);
  });
  after(() => rest.stop());

  // Without the backtest, which has no rows before cycles have closed.
  const lists = OPERATIONS.filter(({ rows, id }) => rows && id !== 'spread-backtest');
  for (const { path, rows, parameters } of lists) {
    test(`GET ${path}: no two rows have the same ${rows?.identity.join(', ')}`, async () => {
      const reply = await rest.get(`/api/v1${path}${parameters.limit ? '?limit=500' : ''}`);
      const { data } = reply.body as { data: object };
      const list = (Array.isArray(data) ? data : Object.values(data).find(Array.isArray)) as Record<
        string,
        unknown
      >[];
      assert.ok(list.length > 1, `${list.length} rows`);
      const keys = list.map((row) => JSON.stringify(rows?.identity.map((name) => row[name])));
      assert.deepEqual(keys.toSorted(), [...new Set(keys)].toSorted());
    });
  }
});

/** Placeholder for a cursor that the endpoint has just returned. */
const CURSOR = '{next_cursor}';
