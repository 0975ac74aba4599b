import { isIP } from 'node:net';
import { createClient, createCluster } from '@redis/client';
import type { RedisAddress } from './address.ts';
import type { RedisArgument } from './redis.ts';

export const CONNECT_TIMEOUT_MS = 1_000;

/** A write: a Redis with a full disk and a read-only replica both answer PING. */
const PROBE_KEY = 'perpwire:probe';
const PROBE = ['SET', PROBE_KEY, '1', 'PX', '1000'];

/** The client library's connection to one Redis, or its connections to the nodes of a cluster. */
export interface RedisClient {
  /** The key decides which node of a cluster runs the command. */
  send(key: string, command: readonly RedisArgument[]): Promise<unknown>;
  /** Rejects unless every server answers. */
  probe(): Promise<unknown>;
  destroy(): void;
}

/** Connects in the background, and again after a lost connection. `onError` is told why a connection failed. */
export function openClient(address: RedisAddress, onError: (error: unknown) => void): RedisClient {
  return address.isCluster ? openCluster(address, onError) : openServer(address, onError);
}

function openServer(address: RedisAddress, onError: (error: unknown) => void): RedisClient {
  const { nodes, database, isTls } = address;
  const [node] = nodes;
  const options = optionsOf(address);
  const client = createClient({
    ...options,
    database,
    socket: isTls
      ? { ...options.socket, ...node, ...serverName(node), tls: true }
      : { ...options.socket, ...node },
    commandOptions: NO_TIMEOUT,
  });
  client.on('error', onError);
  client.connect().catch(onError);
  return {
    send: (_, command) => client.sendCommand([...command]),
    probe: () => client.sendCommand([...PROBE]),
    destroy: () => {
      if (client.isOpen) client.destroy();
    },
  };
}

function openCluster(address: RedisAddress, onError: (error: unknown) => void): RedisClient {
  const { nodes, isTls } = address;
  const options = optionsOf(address);
  const cluster = createCluster({
    rootNodes: nodes.map((node) => ({ socket: node })),
    defaults: { ...options, socket: isTls ? { ...options.socket, tls: true } : options.socket },
    RESP: 2,
    commandOptions: NO_TIMEOUT,
    // After a failover the replica must be found soon.
    topologyRefreshOnReconnectionAttemptStrategy: CONNECT_TIMEOUT_MS,
  });
  cluster.on('error', onError);
  cluster.on('node-error', onError);
  cluster.connect().catch(onError);
  const ping = async (node: (typeof cluster.masters)[number]) =>
    await (await cluster.nodeClient(node)).sendCommand(['PING']);
  return {
    send: (key, command) => cluster.sendCommand(key, false, [...command]),
    probe: () =>
      Promise.all([cluster.sendCommand(PROBE_KEY, false, [...PROBE]), ...cluster.masters.map(ping)]),
    destroy: () => {
      if (cluster.isOpen) cluster.destroy();
    },
  };
}

/** TLS sends the name only if it is set, and servers behind one address need it. */
export function serverName(node?: { host: string }) {
  return node && isIP(node.host) === 0 ? { servername: node.host } : {};
}

/** The library's timeout ends when a command is written; `RedisLink` waits for the reply with one of its own. */
const NO_TIMEOUT = { timeout: 0 };

export function optionsOf({ username, password }: RedisAddress) {
  return {
    RESP: 2,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    disableClientInfo: true,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (attempt: number) => Math.min(25 * 2 ** attempt, 500),
    },
  } as const;
}
