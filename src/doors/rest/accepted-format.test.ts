import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { acceptedFormat } from './accepted-format.ts';

suite('the format that Accept prefers', () => {
  for (const [header, format] of [
    [undefined, null],
    ['', null],
    ['*/*', null],
    ['application/json', null],
    ['text/csv', 'csv'],
    ['TEXT/CSV; charset=utf-8', 'csv'],
    ['text/csv;q=0', null],
    ['text/csv, */*;q=0.1', 'csv'],
    ['text/csv, */*', 'csv'],
    ['application/json, text/csv', null],
    ['text/csv, application/json', 'csv'],
    ['text/csv;q=0.5, application/json', null],
    ['application/json;q=0.5, text/csv;q=0.9', 'csv'],
    ['application/vnd.apache.parquet', 'parquet'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', null],
    ['text/csvx', null],
    ['text/*', null],
    ['application/vnd.apache.parquet, text/csv;q=0.5', 'parquet'],
  ] as const) {
    test(`${header}: ${format ?? 'json'}`, () => {
      assert.equal(acceptedFormat(header, ['csv', 'parquet']), format);
      assert.equal(acceptedFormat(header, ['csv', 'parquet']), format, 'again, from the cache');
    });
  }

  test('a format that the operation does not have is passed over', () => {
    assert.equal(acceptedFormat('application/vnd.apache.parquet, text/csv;q=0.5', ['csv']), 'csv');
    assert.equal(acceptedFormat('application/vnd.apache.parquet', ['csv']), null);
  });
});
