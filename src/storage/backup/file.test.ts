import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ShapeError } from '../../base/parsing.ts';
import { backupHeader, parseBackupHeader } from './file.ts';

describe('parseBackupHeader', () => {
  const table = { name: 'accounts', columns: ['id', 'plan'], rows: 2 };
  const header = backupHeader({
    created_at: '2026-11-15T12:00:00Z',
    from: 'sqlite',
    migrations: ['0001-accounts'],
    tables: [table],
  });

  test('reads a header as it was written', () =>
    assert.deepEqual(parseBackupHeader(JSON.parse(JSON.stringify(header)), 'header'), header));

  const bad: [string, unknown][] = [
    ['nothing', null],
    ['a list', [header]],
    ['another format', { ...header, perpwire_backup: 2 }],
    ['a missing time', { ...header, created_at: undefined }],
    ['an unknown kind of database', { ...header, from: 'mysql' }],
    ['migrations that are no list', { ...header, migrations: '0001-accounts' }],
    ['a migration that is a number', { ...header, migrations: [1] }],
    ['tables that are no list', { ...header, tables: table }],
    ['a table that is null', { ...header, tables: [null] }],
    ['a table without a name', { ...header, tables: [{ ...table, name: undefined }] }],
    ['a table name with a quote', { ...header, tables: [{ ...table, name: 'a"; drop table accounts; --' }] }],
    ['a column name with a quote', { ...header, tables: [{ ...table, columns: ['id"'] }] }],
    ['a table without columns', { ...header, tables: [{ ...table, columns: [] }] }],
    ['a row count that is text', { ...header, tables: [{ ...table, rows: '2' }] }],
    ['a negative row count', { ...header, tables: [{ ...table, rows: -1 }] }],
  ];
  for (const [name, value] of bad)
    test(`refuses ${name}`, () => assert.throws(() => parseBackupHeader(value, 'header'), ShapeError));
});
