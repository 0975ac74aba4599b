import { isIP } from 'node:net';
import { createClient, createCluster } from '@redis/client';
import type { RedisAddress } from './address.ts';

/** A write: a Redis with a full disk and a read-only replica both answer PING. */
const PROBE = ['SET', 'perpwire:probe', '1', 'PX', '1000'] as const;

/** The client library's connection to one Redis, or its connections to the nodes of a cluster. */
export interface RedisClient {
  /** The key decides which node of a cluster runs the command. */
  send(key: string, command: readonly string[]): Promise<unknown>;
  /** Rejects unless every server answers. */
  probe(): Promise<unknown>;
  destroy(): void;
}

/** Connects in the background, and again after a lost connection. `onError` gets the reason why a connection failed. */
export function openClient(address: RedisAddress, onError: (error: unknown) => void): RedisClient {
  const { isCluster, isTls, nodes, username, password, database } = address;
  const options = {
    RESP: 2,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    disableClientInfo: true,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    // The library's timeout ends when a command is written; `RedisLink` waits for the reply with one of its own.
    commandOptions: { timeout: 0 },
  } as const;
  const waiting = {
    connectTimeout: 1_000,
    reconnectStrategy: (attempt: number) => Math.min(25 * 2 ** attempt, 500),
  };
  const socket = isTls ? { ...waiting, tls: true as const } : waiting;
  if (!isCluster) {
    const node = nodes[0] ?? { host: 'localhost', port: 6379 };
    // Servers behind one address need the name, which TLS sends only if it is set.
    const named = isTls && isIP(node.host) === 0 ? { servername: node.host } : {};
    const client = createClient({ ...options, database, socket: { ...socket, ...node, ...named } });
    client.on('error', onError);
    client.connect().catch(onError);
    return {
      send: (_, command) => client.sendCommand([...command]),
      probe: () => client.sendCommand([...PROBE]),
      destroy: () => client.isOpen && client.destroy(),
    };
  }
  const cluster = createCluster({
    ...{ RESP: 2, commandOptions: options.commandOptions, defaults: { ...options, socket } },
    rootNodes: nodes.map((node) => ({ socket: node })),
    // After a failover the replica must be found soon.
    topologyRefreshOnReconnectionAttemptStrategy: 1_000,
  });
  for (const event of ['error', 'node-error']) cluster.on(event, onError);
  cluster.connect().catch(onError);
  const send: RedisClient['send'] = (key, command) => cluster.sendCommand(key, false, [...command]);
  const ping = async (node: (typeof cluster.masters)[number]) =>
    await (await cluster.nodeClient(node)).sendCommand(['PING']);
  return {
    send,
    probe: () => Promise.all([send(PROBE[1], PROBE), ...cluster.masters.map(ping)]),
    destroy: () => cluster.isOpen && cluster.destroy(),
  };
}
