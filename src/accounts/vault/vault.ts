import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { REFRESH_MS, type Ring, type RingKind, type RingValue, usable } from './ring.ts';
import { seal, unseal } from './seal.ts';
import { type KeySource, SecretKeyError } from './secret-keys.ts';
import { keysOf, openKeys, readOrCreate, readSecret, sealPlainSecrets } from './stored-secrets.ts';

/** The secrets of a process that serves requests, encrypted in the database. */
export interface Vault {
  ring(kind: RingKind): Promise<Ring>;
  /** Calls back after a rotation has changed one of the rings. */
  onChange(listener: () => Promise<void>): void;
  /** Encrypts a text that is stored outside of the rings. It can only be read again under the same name. */
  seal(name: string, plain: string): string;
  /** Throws a SecretKeyError if the text has another key or was changed. */
  unseal(name: string, sealed: string): string;
  /** Reads the rings again now. */
  refresh(): Promise<void>;
  /** Reads the rings again every few seconds from now on. */
  keepFresh(): void;
  close(): Promise<void>;
}

interface VaultOptions {
  storage: Storage;
  clock: Clock;
  log: Log;
  source: KeySource;
}

/** Throws a SecretKeyError if the stored secrets have another key. */
export async function openVault({ storage, clock, log, source }: VaultOptions): Promise<Vault> {
  const { db } = storage;
  const { isNew, ...first } = await openKeys(db, source);
  let keys = first;
  if (isNew && storage.kind === 'postgres')
    log.warn(
      { file: source.label },
      'wrote a new key for stored secrets; every process on this database needs the same one: set SECRET_KEY, or copy the file',
    );
  const sealed = await sealPlainSecrets(storage, keys);
  if (sealed > 0) log.info({ secrets: sealed }, 'encrypted the stored secrets');

  const rings = new Map<string, RingValue[]>();
  const listeners: (() => Promise<void>)[] = [];
  const current = () => JSON.stringify([...rings.values()].map((values) => usable(values, clock.nowMs())));
  let seen = '[]';
  let isUnreadable = false;

  const refresh = async () => {
    try {
      keys = keysOf(source);
      for (const name of rings.keys()) {
        const values = await readSecret(db, keys, name);
        if (values) rings.set(name, values);
      }
      isUnreadable = false;
    } catch (error) {
      if (isStorageUnavailable(error)) return;
      if (!(error instanceof SecretKeyError)) throw error;
      // The process goes on with the secrets that it has read before.
      if (!isUnreadable) log.error({ reason: error.message }, 'cannot read the stored secrets any more');
      isUnreadable = true;
    }
    const now = current();
    if (now === seen) return;
    seen = now;
    for (const listener of listeners) await listener();
  };
  let task: RepeatingTask | null = null;

  return {
    ring: async (kind) => {
      rings.set(kind.name, await readOrCreate(db, keys, kind));
      seen = current();
      const all = () => usable(rings.get(kind.name) ?? [], clock.nowMs());
      const signing = () => {
        const [first] = all();
        if (first === undefined) throw new Error(`the secret ${kind.name} has no value`);
        return first;
      };
      return { all, signing };
    },
    seal: (name, plain) => seal(keys.first, name, plain),
    unseal: (name, sealed) => unseal(keys.all, name, sealed, keys.label),
    onChange: (listener) => {
      listeners.push(listener);
    },
    refresh,
    keepFresh: () => {
      task ??= startRepeatingTask({
        name: 'read secrets',
        everyMs: REFRESH_MS,
        firstDelayMs: REFRESH_MS,
        clock,
        log,
        run: async () => {
          await refresh();
          return undefined;
        },
      });
    },
    close: async () => {
      await task?.stop();
    },
  };
}
