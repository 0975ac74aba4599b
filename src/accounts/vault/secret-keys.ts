import { hash, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Stored secrets cannot be read with the given key. The message names the setting to change. */
export class SecretKeyError extends Error {}

/** A key that encrypts stored secrets. The id is stored with each secret and reveals nothing about the key. */
export interface SecretKey {
  id: string;
  bytes: Buffer;
}

/** Where the keys come from. The first one encrypts; the others only decrypt. */
export interface KeySource {
  /** The setting, for messages. */
  label: string;
  /** The texts of the keys; null if the file of generated keys does not exist yet. Files are read again each time. */
  read(): readonly string[] | null;
  /** Creates the file with its first key; false if another process was faster. Null if only the operator can create it. */
  create: (() => boolean) | null;
  /** Puts a new key before the others. Null for keys that only the operator can change. */
  addKey: (() => void) | null;
}

export const MIN_KEY_CHARACTERS = 32;

export function secretKeyOf(text: string): SecretKey {
  const bytes = Buffer.from(hkdfSync('sha256', text, '', 'perpwire stored secrets', 32));
  return { id: hash('sha256', bytes, 'hex').slice(0, 12), bytes };
}

/** Keys of the setting SECRET_KEY. */
export function keysOfSetting(texts: readonly string[]): KeySource {
  return { label: 'SECRET_KEY', read: () => texts, create: null, addKey: null };
}

/** A file with one key per line. `isGenerated`: it is ours, and is created when it is needed. */
export function keyFile(file: string, isGenerated: boolean): KeySource {
  const label = isGenerated ? `the key file ${file}` : `SECRET_KEY_FILE ${file}`;
  const read = (): readonly string[] | null => {
    if (isGenerated && !existsSync(file)) return null;
    let content: string;
    try {
      content = readFileSync(file, 'utf8');
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      throw new SecretKeyError(`Cannot read ${label}: ${cause}; create it with: openssl rand -hex 32`);
    }
    const texts = content.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
    if (texts.length === 0 || texts.some(({ length }) => length < MIN_KEY_CHARACTERS))
      throw new SecretKeyError(
        `${label} must have one key per line, each of at least ${MIN_KEY_CHARACTERS} characters`,
      );
    return texts;
  };
  const writeTemporary = (older: readonly string[]): string => {
    // Not the process ID: processes in two containers that share the folder can have the same one.
    const temporary = `${file}.${randomBytes(6).toString('hex')}.new`;
    const texts = [randomBytes(32).toString('base64url'), ...older];
    try {
      writeFileSync(temporary, `${texts.join('\n')}\n`, { mode: 0o600, flush: true });
    } catch (error) {
      // On a full disk every start would leave another file.
      rmSync(temporary, { force: true });
      throw error;
    }
    return temporary;
  };
  const create = (): boolean => {
    const temporary = writeTemporary([]);
    try {
      // A link never replaces a file: of processes that start together, one creates it and all read it.
      linkSync(temporary, file);
      return true;
    } catch (error) {
      if (!existsSync(file)) throw error;
      return false;
    } finally {
      rmSync(temporary);
    }
  };
  const addKey = () => renameSync(writeTemporary(read() ?? []), file);
  return { label, read, create: isGenerated ? create : null, addKey };
}
