import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OPERATIONS } from '../../../operations/registry.ts';
import { type ToolDefinition, toolsOf } from './tools.ts';

const tools = toolsOf(OPERATIONS);

suite('tool definitions', () => {
  test('the list is at most 32 kB: assistants read all of it in every conversation', () => {
    const bytes = Buffer.byteLength(JSON.stringify(tools.map(({ definition }) => definition)));
    assert.ok(bytes <= 32_000, `${bytes} bytes`);
  });

  test('nine tools with the contract’s names, in its order', () => {
    assert.deepEqual(
      tools.map(({ definition }) => definition.name),
      [
        'svc_search_coins',
        'svc_get_funding_rates',
        'svc_get_coin_funding',
        'svc_get_funding_history',
        'svc_get_spreads',
        'svc_get_spread_backtest',
        'svc_get_listings',
        'svc_get_exchanges',
        'svc_get_usage',
      ],
    );
  });

  for (const { definition, operation } of tools) {
    const { name } = definition;
    const ajv = () =>
      new Ajv2020({ strict: true, allowUnionTypes: false, formats: { 'date-time': true, date: true } });

    test(`${name}: read-only, closed world, with a title and a description for models`, () => {
      assert.deepEqual(definition.annotations, { readOnlyHint: true, openWorldHint: false });
      assert.ok(definition.title.length > 3);
      assert.doesNotMatch(
        definition.description,
        /\/(?:api|funding|spreads|coins|exchanges|listings|usage)\b/,
      );
      assert.match(definition.description, operation.freshness === null ? /this moment/ : /900 s late/);
      const properties = propertiesOf(definition);
      for (const [parameter, schema] of Object.entries(properties)) {
        // The words of a lower bound are those of the upper one too.
        const described = properties[parameter.replace(/^max_/, 'min_')] ?? schema;
        assert.ok(described.description, `${parameter} is described`);
      }
    });

    test(`${name}: schemas are strict JSON Schema 2020-12`, () => {
      ajv().compile(definition.inputSchema);
      assert.ok(definition.outputSchema);
      ajv().compile(definition.outputSchema);
    });

    test(`${name}: takes every parameter of the operation except fields`, () => {
      const wanted = Object.values(operation.parameters).filter((parameter) => parameter.name !== 'fields');
      assert.deepEqual(
        Object.keys(propertiesOf(definition)),
        wanted.map((parameter) => parameter.name),
      );
      const fits = ajv().compile(definition.inputSchema);
      const required = Object.fromEntries(
        wanted.filter(({ isRequired }) => isRequired).map((parameter) => [parameter.name, parameter.example]),
      );
      for (const { name: parameter, example, isList, schema } of wanted) {
        const oneOf = (text: string) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
        const value = isList
          ? example.split(',').map(oneOf)
          : schema.type === 'boolean'
            ? example === 'true'
            : schema.type === 'string'
              ? example
              : Number(example);
        assert.ok(fits({ ...required, [parameter]: value }), `${parameter}=${JSON.stringify(value)}`);
      }
    });
  }
});

function propertiesOf({ inputSchema }: ToolDefinition): Record<string, { description?: string }> {
  return inputSchema.properties as Record<string, { description?: string }>;
}
