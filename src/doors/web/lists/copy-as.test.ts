import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { funding } from '../../../operations/funding.ts';
import { samplesOf } from './copy-as.ts';

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

  test('without filters the address has no query', () => {
    const [curl] = samplesOf(funding, new Map(), 'https://x.example');
    assert.match(curl?.code ?? '', /\/funding"$/);
  });
});
