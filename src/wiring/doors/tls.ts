import { Server } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { keepTlsFresh, readTlsPair, TlsError, type TlsPair } from '../../doors/http/tls.ts';
import { SettingError, type Settings } from '../../settings.ts';

export interface Tls {
  pair: TlsPair;
  /** Reloads changed files while the server listens. */
  keepFresh(server: FastifyInstance, clock: Clock, log: Log): void;
}

/** Reads TLS_CERT and TLS_KEY; null for plain HTTP, for example behind a proxy. */
export function openTls({ tlsCert, tlsKey }: Pick<Settings, 'tlsCert' | 'tlsKey'>): Tls | null {
  if (tlsCert === '' && tlsKey === '') return null;
  if (tlsCert === '' || tlsKey === '')
    throw new SettingError('TLS_CERT and TLS_KEY go together: set both, or neither for plain HTTP');
  const files = { certFile: tlsCert, keyFile: tlsKey };
  try {
    return {
      pair: readTlsPair(files),
      keepFresh: (fastify, clock, log) => {
        const { server } = fastify;
        if (!(server instanceof Server)) return;
        const task = keepTlsFresh(server, files, clock, log);
        fastify.addHook('preClose', () => task.stop());
      },
    };
  } catch (error) {
    throw error instanceof TlsError ? new SettingError(error.message) : error;
  }
}
