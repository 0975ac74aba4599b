import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { coinFunding } from '../../../../operations/coin-funding/coin-funding.ts';
import { funding } from '../../../../operations/funding.ts';
import { codeTabs } from '../../markup/code-block.ts';
import { copyAs, samplesOf } from './copy-as.ts';

suite('a list as code', () => {
  const sent = new Map([
    ['coin', ['BTC', 'ETH']],
    ['sort', ['apr_desc']],
    ['page', ['3']],
    ['unit', ['apr']],
  ]);
  const codes = samplesOf(funding, sent, 'https://x.example').map(({ code }) => code);

  test('has the filters and the order, without the page and what is only of the view', () => {
    assert.match(codes[0] ?? '', /"https:\/\/x\.example\/api\/v1\/funding\?coin=BTC,ETH&sort=apr_desc"$/);
    assert.match(
      codes[1] ?? '',
      /fetch\('https:\/\/x\.example\/api\/v1\/funding\?coin=BTC,ETH&sort=apr_desc'/,
    );
    assert.match(codes[2] ?? '', /params=\{"coin": "BTC,ETH", "sort": "apr_desc"\}/);
  });

  test('what people typed cannot end a string of the code', () => {
    const hostile = new Map([['coin', [`X'"$(id)\`\\`]]]);
    for (const { name, code } of samplesOf(funding, hostile, 'https://x.example'))
      if (name !== 'Python') assert.doesNotMatch(code, /X['"$]|\(id\)`/, name);
      else assert.ok(code.includes(JSON.stringify(`X'"$(id)\`\\`)), code);
  });

  test('is on the page as the code is, coloured', () => {
    const typed = [
      new Map<string, string[]>(),
      new Map([['coin', ['BTC']]]),
      new Map([
        ['coin', [`X'"$(id)\`\\ # // <b>&amp;\n1`, 'ETH']],
        ['min_volume_usdt', ['1e6']],
        ['page', ['2']],
      ]),
    ];
    for (const query of typed) {
      const { markup } = copyAs(funding, query, 'https://x.example', 'Code <1>');
      const samples = samplesOf(funding, query, 'https://x.example');
      assert.ok(markup.includes(codeTabs(samples).markup), JSON.stringify([...query]));
      assert.ok(markup.includes('Code &lt;1&gt;'));
    }
  });

  test('a coin in the path is encoded', () => {
    const query = new Map([['coin', [`A'"/B`]]]);
    const { markup } = copyAs(coinFunding, query, 'https://x.example');
    assert.ok(markup.includes('https://x.example/api/v1/funding/A%27%22%2FB'));
    assert.ok(markup.includes(codeTabs(samplesOf(coinFunding, query, 'https://x.example')).markup));
  });

  test('without filters the address has no query', () => {
    const [curl] = samplesOf(funding, new Map(), 'https://x.example');
    assert.match(curl?.code ?? '', /\/funding"$/);
  });
});
