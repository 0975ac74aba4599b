import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';

/** PEM files. `certFile` may hold the whole chain. */
interface TlsFiles {
  certFile: string;
  keyFile: string;
}

export interface TlsPair {
  cert: Buffer;
  key: Buffer;
}

export class TlsError extends Error {}

/** Reads both files. Throws a TlsError that names the file and its fault. */
export function readTlsPair({ certFile, keyFile }: TlsFiles): TlsPair {
  const read = (name: string, file: string) => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new TlsError(`${name} cannot be read: ${messageOf(error)}`);
    }
  };
  const pair = { cert: read('TLS_CERT', certFile), key: read('TLS_KEY', keyFile) };
  try {
    new X509Certificate(pair.cert);
  } catch (error) {
    throw new TlsError(`TLS_CERT (${certFile}) is no certificate in PEM: ${messageOf(error)}`);
  }
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new TlsError(`TLS_KEY (${keyFile}) is no key of that certificate: ${messageOf(error)}`);
  }
  return pair;
}

const CHECK_EVERY_MS = 10_000;

/**
 * Reloads the certificate when its files change; open connections keep the old one. The files are polled, because
 * certificate tools replace them by renames and links, which file watchers miss.
 */
export function keepTlsFresh(server: Server, files: TlsFiles, clock: Clock, log: Log): RepeatingTask {
  let loaded = stampOf(files);
  return startRepeatingTask({
    name: 'check TLS files',
    everyMs: CHECK_EVERY_MS,
    firstDelayMs: CHECK_EVERY_MS,
    clock,
    log,
    run: async () => {
      const stamp = stampOf(files);
      if (stamp === loaded) return undefined;
      try {
        server.setSecureContext(readTlsPair(files));
        loaded = stamp;
        log.info('TLS certificate reloaded');
      } catch (error) {
        // Probably only one of the two files is written yet; the next check tries again.
        log.warn({ err: error }, 'changed TLS files cannot be used; the old certificate stays');
      }
      return undefined;
    },
  });
}

function stampOf({ certFile, keyFile }: TlsFiles): string {
  return [certFile, keyFile]
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : 'absent';
    })
    .join(', ');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
