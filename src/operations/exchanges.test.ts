import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { operationCaller } from '../../test/query/operation-caller.ts';
import { EXCHANGES_TABLE, exchangesTable } from '../engines/funding/catalogue.ts';
import { FUNDING_TABLE } from '../engines/funding/table.ts';
import { TableBuilder } from '../market/tables/table-builder.ts';
import { VENUES } from '../venues/registry.ts';
import { exchangesOperation } from './exchanges.ts';

suite('/exchanges?q= over all venues', () => {
  const caller = operationCaller(exchangesOperation, EXCHANGES_TABLE, (exchanges) => ({ exchanges }));
  before(() =>
    caller.publish(
      exchangesTable(new TableBuilder(FUNDING_TABLE).build(), VENUES, 'https://perpwire.example'),
    ),
  );
  const found = (q: string) => caller.call({ q }).data.map((row) => row.exchange);

  for (const { facts } of VENUES)
    test(`finds ${facts.exchange} by it and by its name, in any case`, () => {
      for (const text of [facts.exchange, facts.name])
        for (const q of [text, text.toUpperCase(), text.toLowerCase()])
          assert.ok(found(q).includes(facts.exchange), q);
      assert.ok(!found(`x${facts.name}`.slice(0, 40)).includes(facts.exchange), 'the start only');
    });

  test('a text that is the start of both names a venue once', () => {
    assert.deepEqual(found('woo'), ['WOOX']);
    assert.deepEqual(found('Crypto.c'), ['CryptoCom']);
  });
});
