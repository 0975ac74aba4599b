import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type KeyKind = 'live' | 'test';

/** The start of every key. */
export const KEY_START = 'pw_';
export const KEY_PREFIXES: Readonly<Record<KeyKind, string>> = { live: 'pw_live_', test: 'pw_test_' };

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is just above 2^256, so 43 characters hold 256 random bits. */
const SECRET_CHARACTERS = 43;
const SECRET_BYTES = 32;
const CHECKSUM_CHARACTERS = 6;
/** Displayed characters of the secret: enough to distinguish keys; 220 bits stay secret. */
const SHOWN_CHARACTERS = 6;

const KEY_SHAPE = /^pw_(live|test)_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/;

interface NewKey {
  /** The whole key: displayed once and not stored. */
  text: string;
  hash: string;
  keyPrefix: string;
}

export function generateKey(kind: KeyKind): NewKey {
  const secret = base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_CHARACTERS);
  const body = KEY_PREFIXES[kind] + secret;
  const text = `${body}_${checksum(body)}`;
  return { text, hash: hashKey(text), keyPrefix: keyPrefixOf(text) };
}

/** The kind of a well-formed key with a valid checksum; null for any other text. */
export function checkKeyShape(text: string): KeyKind | null {
  const kind = KEY_SHAPE.exec(text)?.[1];
  if (kind === undefined) return null;
  const bodyEnd = text.length - CHECKSUM_CHARACTERS - 1;
  if (text.slice(bodyEnd + 1) !== checksum(text.slice(0, bodyEnd))) return null;
  return kind === 'live' ? 'live' : 'test';
}

export function hashKey(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The part of a key that may be displayed and logged. */
function keyPrefixOf(text: string): string {
  return text.slice(0, KEY_PREFIXES.live.length + SHOWN_CHARACTERS);
}

/** A random id: the prefix and 16 characters (95 bits). */
export function randomId(prefix: string): string {
  return (
    prefix + base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_CHARACTERS).slice(-16)
  );
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_CHARACTERS; place++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function base62(number: bigint, characters: number): string {
  let rest = number;
  let text = '';
  for (let place = 0; place < characters; place++) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
