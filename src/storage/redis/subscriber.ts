import { createClient } from '@redis/client';
import type { RedisAddress } from './address.ts';
import { CONNECT_TIMEOUT_MS, optionsOf, serverName } from './client.ts';
import type { Subscription } from './redis.ts';

type Client = ReturnType<typeof newClient>;

const SUBSCRIBE_RETRY_MS = 20;

function newClient(address: RedisAddress) {
  const { socket, ...options } = optionsOf(address);
  const [node] = address.nodes;
  return createClient({
    ...options,
    socket: address.isTls ? { ...socket, ...node, ...serverName(node), tls: true } : { ...socket, ...node },
  });
}

/** A connection for subscriptions only, on which large messages delay no command. Resubscribes after an outage. */
export class RedisSubscriber {
  readonly #client: Client;
  #isClosed = false;

  constructor(address: RedisAddress) {
    this.#client = newClient(address);
    this.#client.on('error', () => undefined);
    this.#client.connect().catch(() => undefined);
  }

  async subscribe(channel: string, onMessage: (message: Buffer) => void): Promise<Subscription> {
    const client = this.#client;
    let isWanted = true;
    const listener = (message: Buffer) => {
      if (isWanted) onMessage(message);
    };
    // The client resubscribes after outages, but only to a channel it has subscribed to once.
    const subscribeWithRetries = async () => {
      while (isWanted && !this.#isClosed) {
        try {
          return await client.subscribe(channel, listener, true);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, SUBSCRIBE_RETRY_MS));
        }
      }
    };
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CONNECT_TIMEOUT_MS);
    });
    await Promise.race([subscribeWithRetries(), timedOut]);
    clearTimeout(timer);
    return {
      close: async () => {
        isWanted = false;
        if (client.isReady) await client.unsubscribe(channel, listener, true).catch(() => undefined);
      },
    };
  }

  close(): void {
    this.#isClosed = true;
    if (this.#client.isOpen) this.#client.destroy();
  }
}
