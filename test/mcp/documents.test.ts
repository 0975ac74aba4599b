import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { serverCard } from '../../src/doors/mcp/documents/documents.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { type Running, runService } from '../support/service.ts';

/** The official schema of server cards, kept beside the checkout. */
const SCHEMA_FILE = join(import.meta.dirname, '../../../shared/spec/server-card.schema.json');
const schemaMissing = existsSync(SCHEMA_FILE) ? false : 'needs ../shared/spec/server-card.schema.json';

suite('documents in which assistants find the service', () => {
  let running: Running;
  let baseUrl: string;
  before(async () => {
    running = await runService({ venues: ['binance'], coins: 5 });
    baseUrl = running.service.baseUrl;
  });
  after(() => running.stop());

  test('the server card has the same bytes at both addresses, with its type, CORS, age and tag', async () => {
    const [first, second] = await Promise.all([
      fetch(`${baseUrl}/mcp/server-card`),
      fetch(`${baseUrl}/.well-known/mcp/server-card.json`),
    ]);
    assert.equal(await first.text(), await second.text());
    for (const { status, headers } of [first, second]) {
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', /^application\/mcp-server-card\+json/);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('cache-control'), 'public, max-age=3600');
    }
    const tag = first.headers.get('etag') ?? '';
    const again = await fetch(`${baseUrl}/mcp/server-card`, { headers: { 'if-none-match': tag } });
    assert.equal(again.status, 304);
  });

  test('the server card fits the official schema, for usual and unusual addresses', {
    skip: schemaMissing,
  }, () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const fits = ajv.compile(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8')) as object);
    for (const base of [
      'https://api.perpwire.example',
      'http://127.0.0.1:8080',
      'http://localhost',
      'http://[::1]:8080',
    ])
      assert.ok(fits(serverCard(base)), `${base}: ${JSON.stringify(fits.errors)}`);
  });

  test('the catalogue leads to the card', async () => {
    const reply = await fetch(`${baseUrl}/.well-known/ai-catalog.json`);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/ai-catalog\+json/);
    const { entries } = (await reply.json()) as { entries: { url: string; type: string }[] };
    const [entry] = entries;
    assert.equal(entry?.type, 'application/mcp-server-card+json');
    assert.equal((await fetch(entry?.url ?? '')).status, 200);
  });

  test('llms.txt names every endpoint and every tool', async () => {
    const text = await (await fetch(`${baseUrl}/llms.txt`)).text();
    assert.match(text, /^# Perpwire\n\n> /);
    for (const { path, tool, summary } of OPERATIONS) {
      assert.ok(text.includes(`/api/v1${path}`), path);
      if (tool) assert.ok(text.includes(`\`${tool.name}\``), tool.name);
      assert.ok(text.includes(summary), summary);
    }
  });
});
