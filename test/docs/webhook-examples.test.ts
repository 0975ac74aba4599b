import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { codeBlock, missingLanguage, type RunningExample, runExample } from './code-blocks.ts';

const SECRET = 'whsec_example-of-a-secret';
const markdown = readFileSync(new URL('../../docs/alerts.md', import.meta.url), 'utf8');
const body = JSON.stringify({
  event_id: 'evt_1',
  text: 'BTC funding on Bybit is +0.052 % per 8 h – “high”.',
});
const nowSeconds = () => Math.floor(Date.now() / 1000);
const v1 = (atSeconds: number, secret = SECRET, text = body) =>
  `v1=${createHmac('sha256', secret).update(`${atSeconds}.${text}`).digest('hex')}`;

/** The servers that /developers/alerts shows, run as a reader copies them. */
suite('the examples of webhook verification', () => {
  const started: RunningExample[] = [];
  after(() => Promise.all(started.map((example) => example.stop())));

  for (const [heading, language] of [
    ['#### TypeScript', 'ts'],
    ['#### Python', 'python'],
    ['#### Java', 'java'],
  ] as const) {
    test(`${heading.slice(5)} accepts what we have signed and nothing else`, {
      skip: missingLanguage(language) ?? false,
    }, async () => {
      const port = String(await freePort());
      const environment = { PERPWIRE_WEBHOOK_SECRET: SECRET, PORT: port };
      const example = runExample(codeBlock(markdown, heading, language), language, environment);
      started.push(example);
      const post = async (signature: string | null, text = body): Promise<number> => {
        const headers = signature === null ? {} : { 'Perpwire-Signature': signature };
        const reply = await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', headers, body: text });
        return reply.status;
      };
      await until(
        () =>
          post(null).then(
            (status) => status === 401,
            () => false,
          ),
        `the server:\n${example.output()}`,
      );

      const confirmation = JSON.stringify({
        event_id: 'evt_0',
        kind: 'confirmation',
        challenge: 'ABCDEFGH23',
      });
      const answerTo = async (secret: string) => {
        const at = nowSeconds();
        const reply = await fetch(`http://127.0.0.1:${port}/hook`, {
          method: 'POST',
          headers: { 'Perpwire-Signature': `t=${at},${v1(at, secret, confirmation)}` },
          body: confirmation,
        });
        return `${reply.status} ${await reply.text()}`;
      };
      assert.equal(await answerTo(SECRET), '200 ABCDEFGH23');
      assert.equal(await answerTo('whsec_other'), '401 ');

      const t = nowSeconds();
      assert.equal(await post(`t=${t},${v1(t)}`), 204);
      assert.equal(await post(`t=${t},${v1(t, 'whsec_new')},${v1(t)}`), 204, 'the second of two secrets');
      for (const [what, signature] of [
        ['another secret', `t=${t},${v1(t, 'whsec_other')}`],
        ['another time', `t=${t - 1},${v1(t)}`],
        ['an old time', `t=${t - 400},${v1(t - 400)}`],
        ['no time', v1(t)],
        ['no signature', `t=${t}`],
        ['an empty signature', `t=${t},v1=`],
        ['garbage', 'x'],
      ] as const)
        assert.equal(await post(signature), 401, what);
      assert.equal(await post(`t=${t},${v1(t)}`, body.replace('Bybit', 'Bitget')), 401, 'another body');
      await until(() => example.output().includes('“high”'), 'the printed text');
    });
  }
});
