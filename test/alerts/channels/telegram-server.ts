import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface BotCall {
  method: string;
  parameters: Record<string, unknown>;
}

export interface TelegramServer {
  url: string;
  calls: BotCall[];
  /** How often a poll was answered with 409 because another one came. */
  conflicts(): number;
  /** The sendMessage calls so far. */
  sent(): Record<string, unknown>[];
  /** A person or group writes to the bot. */
  write(text: string, chat: Record<string, unknown>): void;
  /** Forgets all calls, and the messages that no poll has confirmed: a later test would get them again. */
  clear(): void;
  /** Fails the next calls of a method, one for each body. */
  fail(method: string, ...errors: Record<string, unknown>[]): void;
  stop(): Promise<void>;
}

export const TOKEN = '123456:AAE-secret_of_the_bot';

/** Plays the Bot API (https://core.telegram.org/bots/api): getMe, getUpdates with its offset and long poll, sendMessage. */
export async function startTelegramServer(): Promise<TelegramServer> {
  const calls: BotCall[] = [];
  const failures = new Map<string, Record<string, unknown>[]>();
  let updates: { update_id: number; message: unknown }[] = [];
  let nextId = 700_000_001;
  let polling: ServerResponse | null = null;
  let conflicts = 0;

  const answer = (reply: ServerResponse, status: number, body: object) =>
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const deliver = () => {
    if (!polling || updates.length === 0) return;
    answer(polling, 200, { ok: true, result: updates });
    polling = null;
  };
  const handlers: Record<string, (parameters: Record<string, unknown>, reply: ServerResponse) => void> = {
    getMe: (_parameters, reply) =>
      answer(reply, 200, { ok: true, result: { id: 123456, is_bot: true, username: 'perpwire_test_bot' } }),
    getUpdates: ({ offset }, reply) => {
      updates = updates.filter(({ update_id: id }) => id >= Number(offset ?? 0));
      if (polling) {
        conflicts++;
        answer(polling, 409, {
          ok: false,
          error_code: 409,
          description: 'Conflict: terminated by other getUpdates request',
        });
      }
      polling = reply;
      // A process that was killed polls no more.
      reply.on('close', () => {
        if (polling === reply) polling = null;
      });
      deliver();
    },
    sendMessage: (parameters, reply) =>
      answer(reply, 200, {
        ok: true,
        result: { message_id: calls.length, date: 1763222410, chat: { id: parameters.chat_id } },
      }),
  };

  const server = createServer(async (incoming, outgoing) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(incoming.url ?? '') ?? [];
    const handler = handlers[method];
    if (token !== TOKEN)
      return void answer(outgoing, 401, { ok: false, error_code: 401, description: 'Unauthorized' });
    if (!handler) return void answer(outgoing, 404, { ok: false, error_code: 404, description: 'Not Found' });
    const parameters = JSON.parse(text) as Record<string, unknown>;
    calls.push({ method, parameters });
    const failure = failures.get(method)?.shift();
    if (failure) answer(outgoing, Number(failure.error_code), { ok: false, ...failure });
    else handler(parameters, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    conflicts: () => conflicts,
    sent: () => calls.filter(({ method }) => method === 'sendMessage').map(({ parameters }) => parameters),
    write: (text, chat) => {
      const id = nextId++;
      updates.push({
        update_id: id,
        message: { message_id: id, date: 1763222410, chat, from: { id: 1 }, text },
      });
      deliver();
    },
    clear: () => {
      calls.length = 0;
      updates = [];
    },
    fail: (method, ...errors) => void failures.set(method, errors),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
