import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** What no documentation of Node promises. `_meta` is a field of MCP's messages. */
const UNDOCUMENTED: Readonly<Record<string, RegExp>> = {
  'an underscore field': /(?:\.|\[['"`])_(?!meta\b|_proto__)\w+/,
  'the declaration of an underscore field of Node': /\b_(?:header\w*|handle|hasBody|events|\w+State)\b/,
  'a method of Buffer for one encoding':
    /\b(?:latin1|utf8|utf-8|ascii|ucs2|utf16le|hex|base64|base64url)(?:Write|Slice)\w*\b/,
  'a module inside Node': /\bprocess\.binding\b|\binternalBinding\b|['"`](?:node:)?internal\//,
};

const undocumentedIn = (text: string) =>
  Object.keys(UNDOCUMENTED).filter((name) => UNDOCUMENTED[name]?.test(text));

suite('the service uses public interfaces only', () => {
  test('no source has an underscore field, a method or a module that Node does not document', () => {
    const files = globSync('src/**/*.{ts,js}', { cwd: root });
    assert.ok(files.length > 1000, `${files.length} files`);
    const found = files.flatMap((file) =>
      undocumentedIn(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(found, []);
  });

  for (const [text, ...names] of [
    ['response._headerSent = true;', ...Object.keys(UNDOCUMENTED).slice(0, 2)],
    ['socket?._parent', 'an underscore field'],
    ["response['_sent']", 'an underscore field'],
    ['interface Bare extends ServerResponse { _header: string }', Object.keys(UNDOCUMENTED)[1]],
    ['const { _handle } = socket;', Object.keys(UNDOCUMENTED)[1]],
    ['buffer.latin1Write(text, 0)', 'a method of Buffer for one encoding'],
    ["import { kOutHeaders } from 'node:internal/http';", 'a module inside Node'],
    ['params._meta'],
    ["Object.hasOwn(sent, '__proto__')"],
    ['const { id: _id, ...others } = row;'],
    ["column.endsWith('_usdt')"],
  ])
    test(`"${text}": ${names.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(undocumentedIn(text ?? ''), names));
});
