import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { allReports, saveReports } from '../../src/history/reports/store.ts';
import { silentReport } from '../../src/venues/health.ts';
import { okx } from '../../src/venues/okx/venue.ts';
import { onBothDatabases, openFor } from '../storage/databases.ts';

const saved = { report: silentReport(okx), minutes: '0111', days: '20410:1438/1440,20411:3/4' };

suite('stored reports of venues', () => {
  onBothDatabases((fresh) => {
    test('a saved report is read back as it was, and the next one replaces it', async (t) => {
      const storage = await openFor(t, await fresh(t));
      await saveReports(storage, [saved], null);
      assert.deepEqual([...(await allReports(storage)).readable], [['okx', saved]]);
      const next = { report: { ...saved.report, contracts: 7 }, minutes: '01111', days: '20411:4/5' };
      await saveReports(storage, [next], null);
      assert.deepEqual([...(await allReports(storage)).readable], [['okx', next]]);
    });

    for (const [name, changed] of [
      ['a text that is no JSON', { report: '{"slug":' }],
      ['JSON that is no object', { report: '[]' }],
      ['a report of another shape', { report: JSON.stringify({ slug: 'okx' }) }],
      ['minutes other than 0 and 1', { minutes: '012' }],
      ['days of another form', { days: '20410:1' }],
    ] as const) {
      test(`${name} is unreadable, and costs only its own venue`, async (t) => {
        const storage = await openFor(t, await fresh(t));
        await saveReports(storage, [saved], null);
        const row = { slug: 'gate', report: JSON.stringify(saved.report), minutes: '1', ...changed };
        await storage.db.insertInto('venue_reports').values(row).execute();
        const { readable, unreadable } = await allReports(storage);
        assert.deepEqual([...readable.keys()], ['okx']);
        assert.deepEqual(unreadable, ['gate']);
      });
    }
  });
});
