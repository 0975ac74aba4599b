import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { silentReport } from '../../venues/health.ts';
import { okx } from '../../venues/okx/venue.ts';
import { parseAllReports, parseSavedReport } from './reports.ts';

const saved = { report: silentReport(okx), minutes: '0111' };

suite('reports of venues in Redis', () => {
  test('a saved report is read back as it was', () => {
    assert.deepEqual(parseSavedReport(JSON.stringify(saved)), saved);
  });

  for (const [name, text] of [
    ['null', null],
    ['a text that is no JSON', '{"report":'],
    ['JSON that is no object', '[]'],
    ['no report', JSON.stringify({ minutes: '01' })],
    ['a report of another shape', JSON.stringify({ ...saved, report: { slug: 'okx' } })],
    ['no minutes', JSON.stringify({ report: saved.report })],
    ['minutes as a list', JSON.stringify({ ...saved, minutes: [0, 1] })],
    ['minutes other than 0 and 1', JSON.stringify({ ...saved, minutes: '012' })],
  ] as const) {
    test(`${name} is unreadable`, () => assert.equal(parseSavedReport(text), null));
  }

  test('an unreadable report costs only its own venue', () => {
    const { readable, unreadable } = parseAllReports(['gate', 'x', 'okx', JSON.stringify(saved)]);
    assert.deepEqual([...readable], [['okx', saved]]);
    assert.deepEqual(unreadable, ['gate']);
  });
});
