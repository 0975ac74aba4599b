import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { connectLinks } from '../../documents/connect-links.ts';
import { assistantFiles } from './assistant-files.ts';

const text = (more: object = {}) => ({ type: 'string', ...more });
const closed = (properties: object, required: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const https = text({ format: 'uri', pattern: '^https://[^\\s]+$' });
const semver = text({ pattern: '^\\d+\\.\\d+\\.\\d+$' });
const pluginName = text({ pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' });
const owner = closed({ name: text({ minLength: 1 }) }, ['name']);

/** The rules of the registry's schema of 2025-12-11 and of its publishing for a server that is only remote. */
const headerValue = {
  description: text(),
  isRequired: { type: 'boolean' },
  isSecret: { type: 'boolean' },
  value: text(),
};
const REGISTRY = closed(
  {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: text({ minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }),
    title: text({ minLength: 1, maxLength: 100 }),
    description: text({ minLength: 1, maxLength: 100 }),
    version: semver,
    websiteUrl: https,
    remotes: {
      type: 'array',
      minItems: 1,
      items: closed(
        {
          type: { enum: ['streamable-http', 'sse'] },
          url: https,
          headers: {
            type: 'array',
            items: closed(
              {
                name: text(),
                ...headerValue,
                variables: { type: 'object', additionalProperties: closed(headerValue, []) },
              },
              ['name'],
            ),
          },
        },
        ['type', 'url'],
      ),
    },
  },
  ['$schema', 'name', 'description', 'version', 'remotes'],
);

/** Fields of Claude Code's reference of marketplaces and of Cursor's published schemas; both refuse or ignore others. */
const CLAUDE_MARKETPLACE = closed(
  {
    $schema: https,
    name: text({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
    description: text(),
    owner,
    plugins: {
      type: 'array',
      minItems: 1,
      items: closed(
        {
          name: pluginName,
          source: text({ pattern: '^\\./' }),
          description: text(),
          version: semver,
          category: text(),
        },
        ['name', 'source'],
      ),
    },
  },
  ['name', 'owner', 'plugins'],
);
const CURSOR_MARKETPLACE = closed(
  {
    name: text({ minLength: 1 }),
    owner,
    metadata: { type: 'object' },
    plugins: {
      type: 'array',
      minItems: 1,
      items: closed({ name: pluginName, source: text({ minLength: 1 }), description: text() }, [
        'name',
        'source',
      ]),
    },
  },
  ['name', 'plugins'],
);
const manifest = {
  name: pluginName,
  description: text(),
  version: semver,
  author: owner,
  homepage: https,
  keywords: { type: 'array', items: text() },
};
const SERVERS = closed(
  {
    mcpServers: {
      type: 'object',
      minProperties: 1,
      additionalProperties: closed({ type: { const: 'http' }, url: https }, ['type', 'url']),
    },
  },
  ['mcpServers'],
);

const RULES: Readonly<Record<string, object>> = {
  'server.json': REGISTRY,
  '.claude-plugin/marketplace.json': CLAUDE_MARKETPLACE,
  '.cursor-plugin/marketplace.json': CURSOR_MARKETPLACE,
  'plugins/perpwire/.claude-plugin/plugin.json': closed(manifest, ['name']),
  'plugins/perpwire/.cursor-plugin/plugin.json': closed(
    { ...manifest, displayName: text(), mcpServers: { const: './mcp.json' } },
    ['name'],
  ),
  'plugins/perpwire/.mcp.json': SERVERS,
  'plugins/perpwire/mcp.json': SERVERS,
};

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const BASE = 'https://api.perpwire.example';

suite('files for directories of assistants', () => {
  const files = assistantFiles(BASE);
  const parsed = (path: string) => JSON.parse(files.get(path) ?? '{}') as Record<string, unknown>;
  const rule = (path: string): ValidateFunction => ajv.compile(RULES[path] ?? false);

  for (const path of Object.keys(RULES)) {
    test(`${path} keeps the rules of its format`, () => {
      const fits = rule(path);
      assert.ok(fits(parsed(path)), JSON.stringify(fits.errors));
    });
  }

  test('there is no file without rules', () => {
    assert.deepEqual([...files.keys()].toSorted(), Object.keys(RULES).toSorted());
  });

  for (const [name, change] of [
    ['a name without a namespace', { name: 'perpwire' }],
    ['a name with two slashes', { name: 'com.example/a/b' }],
    ['a description of 101 characters', { description: 'x'.repeat(101) }],
    ['a range of versions', { version: '^1.0.0' }],
    [
      'an address without TLS',
      { remotes: [{ type: 'streamable-http', url: 'http://perpwire.example/mcp' }] },
    ],
    ['an unknown transport', { remotes: [{ type: 'stdio', url: 'https://perpwire.example/mcp' }] }],
    [
      'another version of the schema',
      { $schema: 'https://static.modelcontextprotocol.io/schemas/2025-07-09/server.schema.json' },
    ],
  ] as const) {
    test(`the rules refuse server.json with ${name}`, () => {
      assert.equal(rule('server.json')({ ...parsed('server.json'), ...change }), false);
    });
  }

  test('the name is the reversed host, and every address is that of the service', () => {
    assert.equal(parsed('server.json').name, 'example.perpwire.api/perpwire');
    const servers = parsed('plugins/perpwire/.mcp.json') as { mcpServers: { perpwire: { url: string } } };
    assert.equal(servers.mcpServers.perpwire.url, `${BASE}/mcp`);
  });

  test('both marketplaces lead to the folder that has the manifest', () => {
    for (const maker of ['claude', 'cursor']) {
      const { plugins } = parsed(`.${maker}-plugin/marketplace.json`) as { plugins: { source: string }[] };
      assert.ok(files.has(`${plugins[0]?.source.slice(2)}/.${maker}-plugin/plugin.json`), maker);
    }
  });
});

suite('links that connect an assistant', () => {
  const links = connectLinks(BASE);

  test('Claude opens its dialog with name and address', () => {
    const { origin, pathname, searchParams } = new URL(links.claude);
    assert.equal(`${origin}${pathname}`, 'https://claude.ai/customize/connectors');
    assert.deepEqual(Object.fromEntries(searchParams), {
      modal: 'add-custom-connector',
      connectorName: 'Perpwire',
      connectorUrl: `${BASE}/mcp`,
    });
  });

  test('Cursor gets name and configuration, as Base64 of its JSON', () => {
    const url = new URL(links.cursor);
    assert.equal(
      `${url.protocol}//${url.host}${url.pathname}`,
      'cursor://anysphere.cursor-deeplink/mcp/install',
    );
    assert.equal(url.searchParams.get('name'), 'perpwire');
    const config = Buffer.from(url.searchParams.get('config') ?? '', 'base64').toString();
    assert.deepEqual(JSON.parse(config), { url: `${BASE}/mcp` });
  });

  test('VS Code gets the whole configuration as encoded JSON', () => {
    const [start, config = ''] = links.vscode.split('?');
    assert.equal(start, 'vscode:mcp/install');
    assert.deepEqual(JSON.parse(decodeURIComponent(config)), {
      name: 'perpwire',
      type: 'http',
      url: `${BASE}/mcp`,
    });
  });

  test('no link has a character that ends a link in Markdown', () => {
    for (const link of Object.values(links)) assert.doesNotMatch(link, /[\s()<>"]/);
  });
});
