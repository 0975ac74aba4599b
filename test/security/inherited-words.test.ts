import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, beforeEach, suite, test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { toolsOf } from '../../src/doors/mcp/tools/tools.ts';
import { MARKET_PAGES, TEXT_PAGES } from '../../src/doors/web/pages/registry.ts';
import { isStreamed } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import { parametersOf } from '../../src/query/parameter.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

/** Words that every object of JavaScript answers to. */
const WORDS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
/** These are often looked up in a record; of the others one word is enough. */
const LOOKED_UP = ['sort', 'fields', 'coin', 'exchange', 'unit'];
/** Parameters that only pages have. */
const OF_PAGES = [
  ...[
    'sort',
    'order',
    'unit',
    'view',
    'mode',
    'tier',
    'page',
    'cursor',
    'open',
    'days',
    'venues',
    'hide',
    'coin',
  ],
  ...[
    'exchange',
    'symbol',
    'fields',
    'back',
    'q',
    'starred',
    'tz',
    'theme',
    'span',
    'done',
    'operation',
    'since',
  ],
  ...[
    'rank',
    'size_usd',
    'hold_days',
    'slippage_bp',
    'long_exchange',
    'short_exchange',
    'quote',
    'kind',
    'status',
  ],
];

suite('words that every object answers to', () => {
  let running: Running;
  const errors: string[] = [];
  before(async () => {
    const destination = new Writable({
      write: (chunk, _encoding, done) => {
        errors.push(String(chunk));
        done();
      },
    });
    running = await runService({
      venues: ['binance', 'okx'],
      coins: 4,
      settings: { FREE_PAGES_PER_MINUTE: '100000' },
      serviceOptions: { log: createLog('error', destination) },
    });
    await collectOnce(running);
  });
  after(() => running.stop());
  /** Of an account of its own: one key would meet its rate limit, which answers before anything is looked up. */
  let key = '';
  beforeEach(async () => {
    const { accounts, keys } = running.service.accounts;
    const { id } = await accounts.create({ name: 'words', plan: 'business' });
    key = (await keys.create({ accountId: id, name: 'words', kind: 'test' })).text;
  });

  /** The status of each path; none may be an error of ours, or be logged as one. */
  const visit = async (paths: readonly string[], init: RequestInit = {}): Promise<void> => {
    const failed: string[] = [];
    for (const path of paths) {
      const reply = await fetch(`${running.service.baseUrl}${path}`, {
        redirect: 'manual',
        headers: { authorization: `Bearer ${key}` },
        ...init,
      });
      if (reply.headers.get('content-type')?.startsWith('text/event-stream')) await reply.body?.cancel();
      else await reply.arrayBuffer();
      if ((reply.status >= 500 && reply.status !== 503) || reply.status === 429)
        failed.push(`${reply.status} ${path}`);
    }
    assert.deepEqual(failed, []);
    assert.deepEqual(errors.splice(0), []);
  };
  const inQuery = (path: string, names: readonly string[]) => [
    `${path}?${WORDS.map((word) => `${word}=1`).join('&')}`,
    ...names.flatMap((name) =>
      (LOOKED_UP.includes(name) ? WORDS : ['constructor']).map((word) => `${path}?${name}=${word}`),
    ),
  ];
  const filled = (path: string, word: string) => path.replaceAll(/\{\w+\}|:\w+/g, word);

  for (const operation of OPERATIONS) {
    const names = [...parametersOf(operation.parameters).map(({ name }) => name), 'format'];
    test(`REST ${operation.path}, as names and as values of every parameter`, async () => {
      const path = `/api/v1${operation.path}`;
      await visit(inQuery(filled(path, 'BTC'), names));
      await visit(WORDS.map((word) => filled(path, word)));
      if (isStreamed(operation))
        await visit(inQuery(`/api/v1/stream${operation.path}`, ['coin', 'sort', 'fields']));
    });
  }

  for (const page of MARKET_PAGES)
    test(`the page ${page.path}, its Markdown, its CSV and its stream, as names and as values`, async () => {
      const path = filled(page.path, 'BTC');
      const names = WORDS.map((word) => `${word}=1`).join('&');
      await visit(inQuery(path, OF_PAGES));
      await visit(
        WORDS.flatMap((word) => [
          filled(page.path, word),
          `${filled(page.path, word)}.md`,
          `/live${filled(page.path, word)}`,
        ]),
      );
      await visit([
        `${path === '/' ? '/index' : path}.md?${names}`,
        `${path}.csv?${names}`,
        `/live${path}?${names}`,
      ]);
    });

  test('texts, account pages, feeds, documents and paths that do not exist', async () => {
    const names = WORDS.map((word) => `${word}=1`).join('&');
    const paths = [
      ...TEXT_PAGES.map(({ path }) => path),
      '/sign-in',
      '/sign-up',
      '/forgot-password',
      '/account',
    ];
    await visit(paths.map((path) => `${path}?${names}`));
    await visit(
      WORDS.flatMap((word) => [
        ...[`/${word}`, `/${word}/${word}`, `/api/v1/${word}`, `/api/v1/stream/${word}`, `/mcp/${word}`],
        ...[`/problems/${word}`, `/developers/${word}`, `/icons/${word}.svg`, `/cards/${word}.png`],
        ...[`/cards/funding/${word}.png`, `/assets/${word}`, `/.well-known/${word}`, `/oauth/${word}`],
        ...[`/listings.ics?${word}=1`, `/listings.atom?exchange=${word}&kind=${word}`, `/search?q=${word}`],
        ...[
          `/account/alerts/new?operation=${word}`,
          `/account/alerts/new?${word}=1`,
          `/account/usage?span=${word}`,
        ],
        ...[`/oauth/authorize?client_id=${word}&response_type=${word}&scope=${word}&${word}=1`],
        ...[`/account?done=${word}`, `/account/alerts?done=${word}`, `/account/keys?done=${word}`],
      ]),
    );
  });

  test('forms: as fields and as values', async () => {
    const body = WORDS.map((word) => `${word}=${word}`).join('&');
    const origin = running.service.baseUrl;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin };
    for (const word of WORDS) {
      const values = [
        'email',
        'password',
        'theme',
        'add',
        'remove',
        'back',
        'zone',
        'unit',
        'binance',
        'grant_type',
      ]
        .map((name) => `${name}=${word}`)
        .join('&');
      for (const sent of [body, values]) {
        const paths = [
          '/sign-in',
          '/sign-up',
          '/forgot-password',
          '/preferences',
          '/stars',
          '/fees',
          '/oauth/token',
        ];
        await visit(paths, { method: 'POST', headers, body: sent });
      }
    }
    await visit(['/oauth/register'], {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"__proto__":{"redirect_uris":["https://a.example/"]},"constructor":1,"toString":"x","redirect_uris":["__proto__"]}`,
    });
  });

  test('cookies: as names and as values', async () => {
    const cookie = [...WORDS.map((word) => `${word}=${word}`), 'pw_stars=__proto__', 'pw_fees=constructor:1'];
    await visit(['/', '/funding', '/arbitrage', '/account'], { headers: { cookie: cookie.join('; ') } });
  });

  /** The text of the answer to one message. */
  const rpc = async (message: string, headers: Record<string, string> = {}): Promise<string> => {
    const reply = await fetch(`${running.service.baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: message,
    });
    assert.ok(reply.status < 429, `${reply.status} ${message}`);
    const text = await reply.text();
    assert.doesNotMatch(text, /Something failed on our side/, message);
    assert.deepEqual(errors.splice(0), [], message);
    return text;
  };
  const message = (method: string, params: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;

  test('MCP: methods, tools, prompts and resources of that name do not exist, in both eras', async () => {
    for (const word of WORDS) {
      assert.match(await rpc(message(word, '{}')), /There is no method/);
      const meta =
        '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
      const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': word };
      assert.match(await rpc(message(word, `{${meta}}`), modern), /There is no method/);
      assert.match(await rpc(message('tools/call', `{"name":"${word}"}`)), /There is no tool/);
      assert.match(await rpc(message('prompts/get', `{"name":"${word}"}`)), /There is no prompt/);
      for (const uri of [word, `perpwire://${word}`, `${running.service.baseUrl}/${word}`])
        assert.match(await rpc(message('resources/read', `{"uri":"${uri}"}`)), /"error"/);
      await rpc(`{"${word}":1,"jsonrpc":"2.0","id":1,"method":"ping"}`);
      await rpc(message('initialize', `{"protocolVersion":"${word}","${word}":{}}`));
      await rpc(
        message('prompts/get', `{"name":"compare_venues","arguments":{"${word}":"BTC","coin":"${word}"}}`),
      );
    }
  });

  for (const { definition } of toolsOf(OPERATIONS))
    test(`MCP: the tool ${definition.name}, as names and as values of every argument`, async () => {
      const names = Object.keys((definition.inputSchema as { properties?: object }).properties ?? {});
      const unknown = WORDS.map((word) => `"${word}":1`).join(',');
      await rpc(message('tools/call', `{"name":"${definition.name}","arguments":{${unknown}}}`));
      for (const name of names)
        await rpc(
          message('tools/call', `{"name":"${definition.name}","arguments":{"${name}":"constructor"}}`),
        );
    });
});
