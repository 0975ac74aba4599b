import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeText } from './venue-status.ts';

test('an error page of a venue becomes one short line of plain text', () => {
  const page = `HTTP 502: <!DOCTYPE html><html><head><title>502 Bad Gateway</title>
<style>body { color: red }</style><script>alert(1)</script></head><body><h1>Bad gateway</h1>${'<p>Ray</p>'.repeat(100)}`;
  const text = causeText(page);
  assert.match(text, /^HTTP 502: 502 Bad Gateway Bad gateway Ray /);
  assert.doesNotMatch(text, /[<>\n]|alert|color/);
  assert.ok(text.length <= 161, String(text.length));
});

test('an error page that was cut within a tag leaves no tag', () => {
  assert.equal(causeText('<html><body>Forbidden<a href="https://exam'), 'Forbidden');
  assert.equal(causeText('<html><script>var a = 1'), '');
});

test('a plain cause stays as it is', () => {
  assert.equal(causeText('timeout after 10 s, size < 5'), 'timeout after 10 s, size < 5');
});
