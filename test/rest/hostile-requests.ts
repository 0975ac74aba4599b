import { hash } from 'node:crypto';
import { METHODS } from 'node:http';
import { generateKey } from '../../src/accounts/keys/key-text.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';
import type { Random } from './random.ts';

export interface HostileRequest {
  bytes: Buffer;
  /** For the failure message. */
  what: string;
  isHead: boolean;
  /** Not HTTP at all: it gets its own connection. */
  isBroken: boolean;
}

const ODD_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '',
  'coin[]',
  'coin[0]',
  '%',
  '%00',
  '=',
  'a&b',
  'ключ',
  '🚀',
];
const PARAMETER_NAMES = OPERATIONS.flatMap((operation) => Object.keys(operation.parameters));
const VALUES = [
  ...ODD_NAMES,
  ...OPERATIONS.flatMap((operation) =>
    Object.values(operation.parameters).flatMap((one) => [
      one.example,
      ...((one.schema.enum ?? []) as unknown[]).map(String),
    ]),
  ),
  ...[
    '0',
    '-0',
    '-1',
    '1e308',
    '1e309',
    '-1e309',
    '5e-324',
    '9007199254740993',
    'NaN',
    'Infinity',
    '0x1F',
    '1_000',
    '٣',
  ],
  ...[
    "' OR 1=1 --",
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '#{7*7}',
    '{{7*7}}',
    '%n%s',
    '\\',
    '"',
    "'",
    '`',
  ],
  ...['\u0000', '\r\nX-Injected: 1', '\u202e', '\ufeff', '\ud83d', 'é\u0301', 'ﷺ', 'İ', 'ß', '🏳️‍🌈', '\u2028'],
  ...['null', 'undefined', '[]', '{}', '[[[[', '{"$gt":""}', 'true,false', ',', ',,,,', ' ', '\t'],
  ...['2026-11-14', '9999-99-99', '2026-02-30T00:00:00Z', '+275760-09-13T00:00:00Z', 'a'.repeat(1_000)],
];
const PATHS = [
  ...OPERATIONS.map((operation) => `/api/v1${operation.path.replaceAll(/\{\w+\}/g, 'BTC')}`),
  ...[
    '/api/v1',
    '/api/v1/',
    '/api/v1/openapi.json',
    '/api/v1//funding',
    '/api/v1/funding/',
    '/api/v1/FUNDING',
  ],
  ...[
    '/api/v1/funding/BTC/x',
    '/api/v1/funding/%2e%2e',
    '/api/v1/%66unding',
    '/api/v1/funding;x=1',
    '/api/v1/%',
  ],
  ...['/api/v1/%zz', '/api/v1/%C3%28', '/api/v1/__proto__', '/api/v1/constructor', '/api/v1/funding/%00'],
  ...[
    '/api/v2/funding',
    '/api',
    '/api/v1/*',
    '/api/v1/:coin',
    '/api/v1/../v1/funding',
    '/api/v1/funding%3Fcoin=BTC',
  ],
];
/** CONNECT ends HTTP on the connection, so it is among the broken requests below. */
const REQUEST_METHODS = [
  ...METHODS.filter((method) => method !== 'CONNECT'),
  'get',
  'FOO',
  'GETGET',
  'G\u00c9T',
];
const HEADER_NAMES = [
  'If-None-Match',
  'Accept-Encoding',
  'Accept',
  'X-Request-Id',
  'Range',
  'Cookie',
  'Origin',
  'Host',
  'X-Forwarded-For',
  'Forwarded',
  'Content-Type',
  'Expect',
  'Upgrade',
  'TE',
  'Via',
  'X-Api-Key2',
  '__proto__',
  'constructor',
  'X-HTTP-Method-Override',
];
const HEADER_VALUES = [
  '*',
  'W/"x"',
  '"',
  '"a", "b"',
  'gzip;q=0',
  'br;q=2, *;q=-1',
  'gzip,gzip,gzip',
  'identity;q=0, *;q=0',
  'bytes=0-0',
  'text/html',
  '100-continue',
  'websocket',
  'h2c',
  '__proto__',
  '',
  'x'.repeat(4_000),
  'é',
  '127.0.0.1, 10.0.0.1, unknown',
  'q=;;;;==,,',
];

/** A path with the ETag of its present answer, which a client would revalidate. */
interface KnownAnswer {
  path: string;
  etag: string;
}

/** An endless sequence of odd, random and hostile requests, determined by the seed. */
export function hostileRequest(random: Random, keys: readonly string[], known: KnownAnswer): HostileRequest {
  if (random.chance(0.06)) return brokenRequest(random);
  if (random.chance(0.01)) return revalidation(random, keys, known);
  const method = random.chance(0.75) ? 'GET' : random.pick(REQUEST_METHODS);
  const target = targetOf(random);
  const lines = [`${method} ${target} HTTP/1.${random.chance(0.97) ? 1 : 0}`, ...headersOf(random, keys)];
  const body = bodyOf(random, method, lines);
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, random.chance(0.5) ? 'utf8' : 'latin1');
  return { bytes, what: lines.join(' | ').slice(0, 400), isHead: method === 'HEAD', isBroken: false };
}

/** A request that a 304 answers, among header lines that may be hostile. */
function revalidation(random: Random, keys: readonly string[], { path, etag }: KnownAnswer): HostileRequest {
  const lines = [`GET ${path} HTTP/1.1`, ...headersOf(random, keys), `If-None-Match: ${etag}`];
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return { bytes, what: lines.join(' | ').slice(0, 400), isHead: false, isBroken: false };
}

function targetOf(random: Random): string {
  const path = random.chance(0.85) ? random.pick(PATHS) : `/api/v1/funding/${hostileValue(random)}`;
  if (random.chance(0.01)) return `http://evil.example${path}`;
  const parts: string[] = [];
  for (let count = random.below(6); count > 0; count--) {
    const name = random.chance(0.75)
      ? random.pick(PARAMETER_NAMES)
      : encodeURIComponent(random.pick(ODD_NAMES));
    const value = hostileValue(random);
    parts.push(`${name}=${value}`);
    if (random.chance(0.1)) parts.push(`${name}=${value}`);
  }
  return parts.length === 0 ? path : `${path}?${parts.join(random.chance(0.95) ? '&' : '&&')}`;
}

function hostileValue(random: Random): string {
  if (random.chance(0.01)) return random.pick(['x', '%41', 'a,']).repeat(random.pick([500, 8_000, 65_536]));
  if (random.chance(0.05)) return forgedCursor(random);
  const text = random.chance(0.8)
    ? random.pick(VALUES)
    : Array.from({ length: random.below(12) }, () => String.fromCodePoint(random.below(0x10ffff))).join('');
  // Some values are sent unescaped, without the characters that would end the request line.
  return random.chance(0.05) ? text.replaceAll(/[\s\p{Cc}]/gu, '') : encodeURIComponent(text.toWellFormed());
}

/** A valid checksum with anything behind it. */
function forgedCursor(random: Random): string {
  const part = () =>
    random.pick([0, -1, 1.5, 1e300, 'funding', 'coins', null, {}, [], 1794648600900, '', '__proto__']);
  const text = random.chance(0.2)
    ? random.pick(['null', '', '{', '[]', '"x"', '1'])
    : JSON.stringify(['funding', part(), 0, part(), part()]);
  const check = hash('sha256', `perpwire cursor ${text}`, 'base64url').slice(0, 8);
  return Buffer.from(check + text).toString('base64url');
}

function headersOf(random: Random, keys: readonly string[]): string[] {
  const lines = ['Host: 127.0.0.1'];
  const key = random.chance(0.04) ? generateKey('test').text : random.pick(keys);
  if (random.chance(0.9))
    lines.push(random.chance(0.5) ? `Authorization: Bearer ${key}` : `X-Api-Key: ${key}`);
  if (random.chance(0.01)) lines.push(`Authorization: ${random.pick(HEADER_VALUES)}`);
  for (let count = random.chance(0.6) ? 0 : random.below(5); count > 0; count--) {
    lines.push(`${random.pick(HEADER_NAMES)}: ${random.pick(HEADER_VALUES)}`);
  }
  if (random.chance(0.01)) lines.push('If-None-Match: *');
  if (random.chance(0.003)) for (let i = 0; i < 1_500; i++) lines.push(`X-${i}: ${i}`);
  return lines;
}

function bodyOf(random: Random, method: string, lines: string[]): string {
  if (random.chance(method === 'GET' ? 0.98 : 0.5)) return '';
  const body = random.pick([
    '{}',
    '{"__proto__":{"polluted":1}}',
    '<x/>',
    'a=b',
    'x'.repeat(70_000),
    '\u0000',
  ]);
  if (random.chance(0.3)) {
    lines.push('Transfer-Encoding: chunked');
    return `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  }
  lines.push(
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Content-Type: ${random.pick(['application/json', 'text/plain', 'x', 'multipart/form-data'])}`,
  );
  return body;
}

const BROKEN = [
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET /api/v1/funding\r\n\r\n',
  'GET /api/v1/fun ding HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /api/v1 HTTP/1.1\r\nHost x\r\n\r\n',
  'GET /api/v1 HTTP/1.1\r\n: x\r\n\r\n',
  'GET /api/v1 HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n',
  'GET /api/v1 HTTP/1.1\nHost: x\n\n',
  'GET /api/v1 HTTP/1.1\r\nX: \u0000\r\n\r\n',
  'POST /api/v1 HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /api/v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  'POST /api/v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /api/v1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
  'POST /api/v1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: nonsense\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  '\u0000\u0000\u0000\u0000',
  'GET /api/v1 HTTP/1.1\r\nHost: x\r\n',
  'HELO example.org\r\n',
  `GET /api/v1?q=${'x'.repeat(65_536)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET /api/v1 HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(65_536)}\r\n\r\n`,
];

function brokenRequest(random: Random): HostileRequest {
  const text = random.chance(0.7)
    ? random.pick(BROKEN)
    : `${random.pick(['', 'GET ', 'GET /api/v1 HTTP/1.1\r\n'])}${String.fromCharCode(...Array.from({ length: 1 + random.below(200) }, () => random.below(256)))}\r\n\r\n`;
  return {
    bytes: Buffer.from(text, 'latin1'),
    what: JSON.stringify(text.slice(0, 200)),
    isHead: false,
    isBroken: true,
  };
}
