import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { collectOnce, type Running, runService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { codeBlock, missingLanguage, type RunningExample, runExample } from './code-blocks.ts';

/** The examples of /developers/streams, run as a reader copies them from the page. */
suite('the examples of /developers/streams', () => {
  let running: Running;
  let markdown: string;
  const started: RunningExample[] = [];

  before(async () => {
    running = await runService({ venues: ['binance', 'okx'], coins: 12 });
    await collectOnce(running);
    markdown = (await running.get('/developers/streams.md')).text;
  });
  after(async () => {
    await Promise.all(started.map((example) => example.stop()));
    await running.stop();
  });

  const newKey = async () => {
    const { accounts } = running.service;
    const account = await accounts.accounts.create({ name: 'reader', plan: 'pro' });
    return await accounts.keys.create({ accountId: account.id, name: 'example', kind: 'test' });
  };
  const start = (heading: string, language: string, key: string) => {
    const example = runExample(codeBlock(markdown, heading, language), language, { PERPWIRE_API_KEY: key });
    started.push(example);
    return example;
  };
  /** Publishes snapshots until the example has printed what it prints about a change. */
  const untilPrinted = (example: RunningExample, pattern: RegExp) =>
    until(async () => {
      if (pattern.test(example.output())) return true;
      await collectOnce(running);
      return false;
    }, `${pattern} in the output:\n${example.output()}`);

  test('curl prints a snapshot and changes', { skip: missingLanguage('sh') ?? false }, async () => {
    const example = start('### curl', 'sh', (await newKey()).text);
    await untilPrinted(example, /event: snapshot[\s\S]*event: change\nid: \S+\ndata: \{"upsert":/);
    assert.match(example.output(), /"coin":|"exchange":/);
  });

  for (const [heading, language] of [
    ['### TypeScript', 'ts'],
    ['### Python', 'python'],
  ] as const) {
    test(`${language} follows the list, and says why the service ended the stream`, {
      skip: missingLanguage(language) ?? false,
    }, async () => {
      const { text, key } = await newKey();
      const example = start(heading, language, text);
      await untilPrinted(example, /^\S+Z 20 rows,? \d+ changed$/m);
      await running.service.accounts.keys.revoke(key.id);
      await until(() => /revoked/.test(example.output()), 'the problem of the end');
      assert.doesNotMatch(example.output(), /Traceback|TypeError|SyntaxError/);
    });
  }
});
