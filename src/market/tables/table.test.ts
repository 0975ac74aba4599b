import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { bytesOf, packColumns, shuffled } from '../../storage/blocks.ts';
import type { Cell, TableSpec } from './table.ts';
import { TableBuilder, tableOf } from './table-builder.ts';
import { decodeTable, encodeTable } from './table-codec.ts';

const SPEC: TableSpec = {
  name: 'sample',
  columns: [
    { name: 'venue', type: 'text', nullable: false, description: '' },
    { name: 'note', type: 'text', nullable: true, description: '' },
    { name: 'tags', type: 'texts', nullable: false, description: '' },
    { name: 'rate', type: 'number', nullable: true, description: '' },
    { name: 'count', type: 'integer', nullable: false, description: '' },
    { name: 'on', type: 'flag', nullable: false, description: '' },
    { name: 'at', type: 'time', nullable: true, description: '' },
  ],
};

const rows = fc.array(
  fc.record({
    venue: fc.string(),
    note: fc.option(fc.string()),
    tags: fc.array(fc.string(), { maxLength: 3 }),
    rate: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => (x === 0 ? 0 : x))),
    count: fc.integer(),
    on: fc.boolean(),
    at: fc.option(fc.integer({ min: 1.5e12, max: 1.9e12 })),
  }),
  { maxLength: 40 },
);

function build(list: Record<string, Cell>[]) {
  const builder = new TableBuilder(SPEC);
  for (const row of list) builder.add(row);
  return builder.build();
}

function plain(row: Record<string, Cell>) {
  const at = row.at;
  return { ...row, at: typeof at === 'number' ? new Date(at).toISOString().replace('.000Z', 'Z') : null };
}

suite('columnar tables', () => {
  test('rows come back as JSON with nulls written out', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const table = build(list);
        const json = list.map((_, i) => JSON.parse(table.rowJson(i)));
        assert.deepEqual(json, list.map(plain));
      }),
    );
  });

  test('a table that is made by columns is the same as one that is made by rows', () => {
    const cellOf = (name: string) => (row: Record<string, Cell>) => row[name] ?? null;
    const cells = Object.fromEntries(SPEC.columns.map(({ name }) => [name, cellOf(name)]));
    fc.assert(
      fc.property(rows, (list) => {
        assert.deepEqual(encodeTable(tableOf(SPEC, list, cells)), encodeTable(build(list)));
      }),
    );
    const { rate: _, ...fewer } = cells;
    assert.throws(() => tableOf(SPEC, [], fewer), /rows of sample have no rate/);
    assert.throws(() => tableOf(SPEC, [{ venue: null }], cells), /sample\.venue must not be null/);
  });

  test('a table survives encoding and decoding', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const table = build(list);
        const back = decodeTable(encodeTable(table), SPEC);
        assert.ok(back);
        assert.deepEqual(
          list.map((_, i) => back.rowJson(i)),
          list.map((_, i) => table.rowJson(i)),
        );
      }),
    );
  });

  test('encoding in turns gives a frame of the same bytes', async () => {
    const table = build(
      Array.from({ length: 20_000 }, (_, i) => ({
        venue: `V${i % 30}`,
        note: i % 3 === 0 ? null : 'note',
        tags: [],
        rate: Math.sin(i),
        count: i,
        on: i % 2 === 0,
        at: null,
      })),
    );
    const frame = encodeTable(table);
    const flipped = Buffer.from(frame);
    flipped.writeUInt8(flipped.readUInt8(frame.length >> 1) ^ 1, frame.length >> 1);
    assert.throws(() => decodeTable(flipped, SPEC), 'it has a checksum');
  });

  const row = { venue: 'A', note: 'B', tags: ['x'], rate: 0.01, count: 1, on: true, at: null };

  test('a frame of a later version with more columns is read without them', () => {
    const frame = encodeTable(build([row, { ...row, venue: 'C', rate: null }]));
    const shorter = (...left: string[]) => ({
      ...SPEC,
      columns: SPEC.columns.filter(({ name }) => !left.includes(name)),
    });
    for (const left of [['rate'], ['note'], ['venue', 'tags', 'count'], ['on', 'at']]) {
      const back = decodeTable(frame, shorter(...left));
      const { length } = Object.keys(row);
      assert.deepEqual(
        JSON.parse(back?.rowJson(0) ?? ''),
        Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name))),
      );
      assert.equal(Object.keys(JSON.parse(back?.rowJson(1) ?? '')).length, length - left.length);
    }
  });

  test('a frame of another table, or of another version of the layout, is not read', () => {
    const table = build([row]);
    assert.equal(decodeTable(encodeTable(table), { ...SPEC, name: 'other' }), null);
    const head = { version: 3, table: 'sample', rowCount: 0, numbers: [], texts: [] };
    assert.equal(decodeTable(packColumns(head, []), SPEC), null);
  });

  test('a frame of the first version, with the first bytes of a column before its second ones, is read', () => {
    const spec = {
      name: 'old',
      columns: [
        { name: 'rate', type: 'number', nullable: false, description: '' },
        { name: 'venue', type: 'text', nullable: false, description: '' },
      ],
    } as const;
    const texts = [{ name: 'venue', values: ['', 'A', 'B'] }];
    const head = { version: 1, table: 'old', rowCount: 2, numbers: ['rate'], texts };
    const columns = [
      shuffled(bytesOf(Float64Array.of(0.01, -0.02)), 8),
      shuffled(bytesOf(Uint32Array.of(2, 1)), 4),
    ];
    const back = decodeTable(packColumns(head, columns), spec);
    assert.deepEqual(
      [0, 1].map((at) => JSON.parse(back?.rowJson(at) ?? '')),
      [
        { rate: 0.01, venue: 'B' },
        { rate: -0.02, venue: 'A' },
      ],
    );
  });

  test('a frame from before a nullable text was added has null there; a text that must have a value makes it unreadable', () => {
    const frame = encodeTable(build([row]));
    const added = { name: 'source', type: 'text', nullable: true, description: '' } as const;
    const back = decodeTable(frame, { ...SPEC, columns: [added, ...SPEC.columns] });
    assert.deepEqual(JSON.parse(back?.rowJson(0) ?? ''), { source: null, ...row });
    const needed = { ...added, nullable: false };
    assert.equal(decodeTable(frame, { ...SPEC, columns: [needed, ...SPEC.columns] }), null);
  });

  test('a frame from before a nullable column was added has null there; a column that must have a value makes it unreadable', () => {
    const frame = encodeTable(build([row]));
    const added = { name: 'price', type: 'number', nullable: true, description: '' } as const;
    const back = decodeTable(frame, { ...SPEC, columns: [...SPEC.columns, added], internalColumns: ['fee'] });
    assert.deepEqual(JSON.parse(back?.rowJson(0) ?? ''), { ...row, price: null });
    assert.deepEqual([...(back?.numbers('fee') ?? [])], [Number.NaN]);
    const needed = { ...added, nullable: false };
    assert.equal(decodeTable(frame, { ...SPEC, columns: [...SPEC.columns, needed] }), null);
  });

  test('a null in a column that is not nullable is rejected', () => {
    assert.throws(
      () => build([{ venue: null, note: null, tags: [], rate: 1, count: 1, on: true, at: null }]),
      /venue must not be null/,
    );
  });

  test('only the requested fields are written', () => {
    const table = build([{ venue: 'A', note: null, tags: ['x'], rate: 0.01, count: 1, on: true, at: null }]);
    const columns = SPEC.columns.filter((column) => ['rate', 'note'].includes(column.name));
    assert.equal(table.fieldsJson(0, columns), '{"note":null,"rate":0.01}');
  });
});
