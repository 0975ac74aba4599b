import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { connectLinks } from '../../src/doors/documents/connect-links.ts';
import { serverCard } from '../../src/doors/mcp/discovery/server-card.ts';
import { PROMPTS } from '../../src/doors/mcp/prompts/prompts.ts';
import { TEXT_PAGES } from '../../src/doors/web/pages/registry.ts';
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
    for (const { name } of PROMPTS) assert.ok(text.includes(`\`${name}\``), name);
  });

  test('llms-full.txt has the whole text of every document, and llms.txt leads to it', async () => {
    const reply = await fetch(`${baseUrl}/llms-full.txt`);
    assert.match(reply.headers.get('content-type') ?? '', /^text\/plain; charset=utf-8/);
    const full = await reply.text();
    for (const { path } of TEXT_PAGES) {
      const twin = await (await fetch(`${baseUrl}${path}.md`)).text();
      assert.ok(full.includes(`Source: ${baseUrl}${path}.md\n---\n\n${twin.trimEnd()}\n`), path);
    }
    const index = await fetch(`${baseUrl}/llms.txt`);
    assert.match(await index.text(), /\]\(\S+\/llms-full\.txt\)/);
    assert.match(index.headers.get('link') ?? '', /\/llms-full\.txt>; rel="alternate"/);
  });

  test('the registry entry is served, and agrees with the card', async () => {
    const entry = (await (await fetch(`${baseUrl}/mcp/server.json`)).json()) as Record<string, unknown>;
    const card = (await (await fetch(`${baseUrl}/mcp/server-card`)).json()) as Record<string, unknown>;
    for (const field of ['name', 'version', 'title', 'description', 'websiteUrl'])
      assert.equal(entry[field], card[field], field);
  });

  test('documents are sent compressed to clients that accept it', async () => {
    const reply = await fetch(`${baseUrl}/llms-full.txt`, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(reply.headers.get('content-encoding'), 'gzip');
    assert.match(reply.headers.get('vary') ?? '', /Accept-Encoding/);
  });

  test('pages lead agents to the index, the API description and the guide', async () => {
    for (const path of ['/developers', '/funding']) {
      const link = (await fetch(`${baseUrl}${path}`)).headers.get('link') ?? '';
      for (const relation of ['describedby', 'service-desc', 'service-doc'])
        assert.ok(link.includes(`rel="${relation}"`), `${path}: ${relation}`);
      for (const [, target = ''] of link.matchAll(/<([^>]+)>/g))
        assert.equal((await fetch(`${baseUrl}${target}`)).status, 200, target);
    }
  });

  test('the page for assistants has a button for each, and its twin the same links', async () => {
    const page = await (await fetch(`${baseUrl}/developers/assistants`)).text();
    const buttons = [...page.matchAll(/<a class="btn" href="([^"]+)">(Connect [^<]+)<\/a>/g)];
    assert.deepEqual(
      buttons.map(([, href = '', words = '']) => [words, href.replaceAll('&amp;', '&')]),
      [
        ['Connect Claude', connectLinks(baseUrl).claude],
        ['Connect Cursor', connectLinks(baseUrl).cursor],
        ['Connect VS Code', connectLinks(baseUrl).vscode],
      ],
    );
    const twin = await (await fetch(`${baseUrl}/developers/assistants.md`)).text();
    for (const link of Object.values(connectLinks(baseUrl))) assert.ok(twin.includes(`](${link} `), link);
    assert.doesNotMatch(twin, /\{connect_|\{base_url\}/);
  });
});
