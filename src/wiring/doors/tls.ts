import { Server } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { keepTlsFresh, readTlsPair, TlsError, type TlsPair } from '../../doors/http/tls.ts';
import { SettingError, type Settings } from '../../settings.ts';

export interface Tls {
  pair: TlsPair;
  /** From listening to closing, changed files are taken over. */
  keepFresh(server: FastifyInstance, clock: Clock, log: Log): void;
}

/** HTTPS from the settings; null leaves it to a proxy. */
export function openTls({ tlsCert, tlsKey }: Pick<Settings, 'tlsCert' | 'tlsKey'>): Tls | null {
  if (tlsCert === '' && tlsKey === '') return null;
  if (tlsCert === '' || tlsKey === '')
    throw new SettingError('TLS_CERT and TLS_KEY go together: give both, or neither for plain HTTP');
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
