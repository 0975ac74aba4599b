import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { collectOnce, type Running, rowsOf, runService } from '../support/service.ts';
import { codeBlock, missingLanguage, runExample } from './code-blocks.ts';

const LANGUAGES = ['sh', 'ts', 'python'] as const;

/** The first program in a language on a page, as a reader copies it. */
function shownCode(page: string, language: string): string {
  const shown = new RegExp(`<code class="language-${language}">([\\s\\S]*?)</code>`).exec(page)?.[1] ?? '';
  return shown
    .replaceAll(/<\/?span\b[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** The quick start of /developers, run as a reader copies it from the page. */
suite('the quick start of /developers', () => {
  let running: Running;
  let markdown: string;
  before(async () => {
    const clock = new ManualClock(Date.now());
    running = await runService({ venues: ['binance', 'okx'], coins: 5, clock });
    await collectOnce(running);
    // Visitors see data of 15 minutes ago.
    clock.advanceMs(901_000);
    await collectOnce(running);
    markdown = (await running.get('/developers.md')).text;
  });
  after(() => running.stop());

  const outputOf = async (language: string) => {
    const code = codeBlock(markdown, '## Quick start', language);
    const example = runExample(code, language, { PERPWIRE_API_KEY: running.keys.developer });
    assert.equal(await example.ended, 0, example.output());
    return example.output();
  };
  const answer = () =>
    running.get('/api/v1/funding?coin=BTC,ETH&sort=apr_desc&limit=5', { plan: 'developer' });

  test('the page shows what its Markdown has, which the other tests run', async () => {
    const page = (await running.get('/developers')).text;
    for (const language of LANGUAGES) {
      const text = shownCode(page, language);
      assert.equal(text.trim(), codeBlock(markdown, '## Quick start', language).trim());
      assert.ok(text.includes(`${running.service.baseUrl}/api/v1/funding`));
    }
  });

  test('files whose commands have {base_url} say what it is, and pages have the address instead', async () => {
    const folder = join(import.meta.dirname, '../../docs');
    const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
    // Targets of links are not read.
    const isNamed = (file: string) =>
      textOf(file)
        .replaceAll(/\]\(\S+\)/g, '')
        .includes('{base_url}');
    const named = globSync('*.md', { cwd: folder }).filter(isNamed);
    assert.ok(named.length > 2);
    for (const file of named) assert.match(textOf(file), /^> In the repository, `\{base_url\}` /m, file);
    assert.doesNotMatch(markdown, /In the repository|\{base_url\}/);
  });

  test('curl prints the answer', { skip: missingLanguage('sh') ?? false }, async () => {
    const text = await outputOf('sh');
    // curl reports its progress on standard error.
    assert.deepEqual(JSON.parse(text.slice(text.indexOf('{"data"'))), (await answer()).body);
  });

  for (const language of ['ts', 'python'] as const) {
    test(`${language} prints the rates with their intervals`, {
      skip: missingLanguage(language) ?? false,
    }, async () => {
      const lines = (await outputOf(language)).trim().split('\n');
      const reply = await answer();
      const { as_of: asOf } = (reply.body as { meta: { as_of: string } }).meta;
      const wanted = rowsOf(reply).map((row) => ({
        start: `${row.exchange} ${row.symbol}`,
        rate: row.rate_pct,
        end: `% every ${row.interval_hours} h ${asOf}`,
      }));
      assert.equal(wanted.length, 5);
      const printed = lines.map((line) => {
        const [, start, rate, end] = /^(\S+ \S+) (\S+) (.*)$/.exec(line) ?? [];
        return { start, rate: Number(rate), end };
      });
      assert.deepEqual(printed, wanted);
    });
  }

  for (const path of ['/', '/funding?view=table&coin=BTC'])
    for (const language of LANGUAGES)
      test(`the ${language} code on ${path} runs as it is pasted`, {
        skip: missingLanguage(language) ?? false,
      }, async () => {
        const code = shownCode((await running.get(path)).text, language);
        const example = runExample(code, language, { PERPWIRE_API_KEY: running.keys.developer });
        assert.equal(await example.ended, 0, example.output());
        assert.match(example.output(), /(BTC|ETH)-USD/);
      });
});
