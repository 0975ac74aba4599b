import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  dayHash,
  EMPTY_MANIFEST,
  LakeError,
  type Manifest,
  type ManifestDay,
  manifestText,
  readManifest,
  withDay,
} from './manifest.ts';

const fileOf = (day: string, rows = 10) => ({
  dataset: 'prints',
  path: `prints/${day}.parquet`,
  rows,
  bytes: 1000,
  sha256: 'ab'.repeat(32),
  from: day,
});
const manifestOf = (...days: string[]) =>
  days.reduce(
    (manifest, day) => withDay(manifest, { day, known_to: '2026-11-18T01:00:00Z', files: [fileOf(day)] }),
    EMPTY_MANIFEST,
  );
const THREE = manifestOf('2026-11-14', '2026-11-15', '2026-11-16');

/** A changed entry whose own hash fits again, as somebody would write it who wants to hide the change. */
const rehashed = (entry: ManifestDay): ManifestDay => ({ ...entry, hash: dayHash(entry) });
const withDays = (days: readonly (ManifestDay | undefined)[]): Manifest => ({
  ...THREE,
  days: days.filter((day) => day !== undefined),
});
const [first, second, third] = THREE.days;
assert.ok(first && second && third);

suite('the manifest of a lake', () => {
  test('reads back as written, one day a line', () => {
    const text = manifestText(THREE);
    assert.deepEqual(readManifest(text, 'm'), THREE);
    assert.equal(text.split('\n').length, 6);
    assert.deepEqual(readManifest(manifestText(EMPTY_MANIFEST), 'm'), EMPTY_MANIFEST);
  });

  test('the first day follows nothing, each other one the hash of the day before', () => {
    assert.deepEqual(
      THREE.days.map(({ previous }) => previous),
      [null, first.hash, second.hash],
    );
  });

  test('a part of the list without its beginning or end is valid: old days may be pruned, new ones hidden', () => {
    assert.equal(readManifest(manifestText(withDays([second, third])), 'm').days.length, 2);
    assert.equal(readManifest(manifestText(withDays([first, second])), 'm').days.length, 2);
  });

  const late = { ...fileOf('2026-11-16'), path: 'prints/2026-11-16-late.parquet', from: '2026-05-01' };
  const both = rehashed({ ...third, files: [late, fileOf('2026-11-16')] });

  test('files that a reader may not have are named apart, and the chain fits without them', () => {
    const hidden = { ...both, files: [fileOf('2026-11-16')], beyond_plan: [late] };
    assert.equal(dayHash(hidden), both.hash);
    assert.deepEqual(readManifest(manifestText(withDays([second, hidden])), 'm').days[1], hidden);
  });

  for (const [name, file] of [
    ['late rows in the file of the day', { ...late, path: 'prints/2026-11-16.parquet' }],
    ['a late file without late rows', { ...late, from: '2026-11-16' }],
    ['rows of a later day', { ...fileOf('2026-11-16'), from: '2026-11-17' }],
  ] as const)
    test(`${name}: refused`, () => {
      const entry = rehashed({ ...third, files: [file] });
      assert.throws(
        () => readManifest(manifestText(withDays([second, entry])), 'm'),
        /is listed on 2026-11-16 as a file of prints from/,
      );
    });

  const altered = { ...second, files: [fileOf('2026-11-15', 11)] };
  for (const [name, manifest, fault] of [
    ['a changed file entry', withDays([first, altered, third]), /2026-11-15 was altered/],
    [
      'a changed file entry with a fresh hash',
      withDays([first, rehashed(altered), third]),
      /2026-11-16 does not follow 2026-11-15/,
    ],
    ['a missing day in the middle', withDays([first, third]), /2026-11-16 does not follow 2026-11-14/],
    ['two days swapped', withDays([second, first, third]), /out of order/],
    ['a day twice', withDays([first, first]), /out of order/],
    [
      'a file of another day',
      withDays([rehashed({ ...first, files: [fileOf('2026-11-15')] })]),
      /prints\/2026-11-15.parquet is listed on 2026-11-14/,
    ],
  ] as const) {
    test(`${name} is refused`, () => {
      assert.throws(
        () => readManifest(manifestText(manifest), 'm'),
        (error) => error instanceof LakeError && fault.test(error.message),
      );
    });
  }

  const json = (change: (manifest: Record<string, unknown>) => void) => {
    const copy = JSON.parse(manifestText(THREE)) as Record<string, unknown>;
    change(copy);
    return JSON.stringify(copy);
  };
  const inFile = (field: string, value: unknown) =>
    json(({ days }) => {
      Object.assign((days as { files: object[] }[])[0]?.files[0] ?? {}, { [field]: value });
    });
  for (const [name, text, fault] of [
    ['no JSON', '<html>', /m is not a manifest/],
    ['a cut-off text', manifestText(THREE).slice(0, -20), /m is not a manifest/],
    [
      'another version',
      json((m) => Object.assign(m, { version: 1 })),
      /version is 1; this program reads version 2: build or pull the lake again/,
    ],
    ['no days', json((m) => Object.assign(m, { days: null })), /days is not a list/],
    ['a path out of the folder', inFile('path', '../../etc/2026-11-14.parquet'), /path is not the path/],
    ['an absolute path', inFile('path', '/prints/2026-11-14.parquet'), /path is not the path/],
    ['rows that are newer than the day', inFile('from', '2026-11-15'), /entry of 2026-11-14 was altered/],
    ['a negative size', inFile('bytes', -1), /bytes is not a count/],
    ['a hash that is none', inFile('sha256', 'zz'), /sha256 is not a SHA-256/],
    [
      'no day of the calendar',
      json(({ days }) => Object.assign((days as object[])[0] ?? {}, { day: '2026-02-31' })),
      /day is not a day such as/,
    ],
  ] as const) {
    test(`${name} is refused`, () => {
      assert.throws(
        () => readManifest(text, 'm'),
        (error) => error instanceof LakeError && fault.test(error.message),
      );
    });
  }
});
