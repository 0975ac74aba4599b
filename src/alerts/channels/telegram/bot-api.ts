import { Agent, request } from 'undici';
import { connectionCause } from '../../../base/connection-errors.ts';
import { USER_AGENT } from '../../../base/http/http-client.ts';
import { fieldsOf, jsonOf } from '../../../base/parsing.ts';

/** https://core.telegram.org/bots/api#making-requests */
export type BotReply =
  | { isOk: true; result: unknown }
  | {
      isOk: false;
      /** Null: Telegram could not be reached. */
      code: number | null;
      description: string;
      retryAfterSeconds: number | null;
      /** A group that became a supergroup has a new id. */
      migratedToChatId: number | null;
    };

export interface BotApi {
  /** Rejects only if the signal aborts. `waitSeconds`: how long Telegram may hold the request (long polling). */
  call(method: string, parameters: object, signal: AbortSignal, waitSeconds?: number): Promise<BotReply>;
  close(): Promise<void>;
}

interface BotApiOptions {
  /** https://api.telegram.org, or a Bot API server of the operator. */
  apiUrl: string;
  token: string;
}

const TIMEOUT_SECONDS = 10;
const MAX_RETRY_AFTER_SECONDS = 3_600;

/** Calls methods of the Bot API. The token is part of the address, so no message contains the address. */
export function openBotApi({ apiUrl, token }: BotApiOptions): BotApi {
  const agent = new Agent({ keepAliveTimeout: 60_000, maxResponseSize: 4 * 1024 * 1024 });
  const base = `${apiUrl.replace(/\/$/, '')}/bot${token}`;
  return {
    call: async (method, parameters, signal, waitSeconds = 0) => {
      const timeoutMs = (TIMEOUT_SECONDS + waitSeconds) * 1000;
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const reply = await request(`${base}/${method}`, {
          dispatcher: agent,
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT },
          body: JSON.stringify(parameters),
          headersTimeout: timeoutMs,
          signal: AbortSignal.any([signal, deadline]),
        });
        return parseReply(reply.statusCode, await reply.body.text());
      } catch (error) {
        if (signal.aborted) throw error;
        return unreachable(
          deadline.aborted
            ? `no answer within ${timeoutMs / 1000} s`
            : (connectionCause(error) ?? 'the connection failed'),
        );
      }
    },
    close: () => agent.destroy(),
  };
}

function unreachable(description: string): BotReply {
  return { isOk: false, code: null, description, retryAfterSeconds: null, migratedToChatId: null };
}

function parseReply(status: number, text: string): BotReply {
  const body = jsonOf(text);
  if (body === undefined) return unreachable(`the answer is not JSON (HTTP ${status})`);
  const { ok, result, error_code: code, description, parameters } = fieldsOf(body);
  if (ok === true) return { isOk: true, result };
  const { retry_after: seconds, migrate_to_chat_id: chatId } = fieldsOf(parameters);
  return {
    isOk: false,
    code: typeof code === 'number' ? code : status,
    description: typeof description === 'string' ? description.slice(0, 200) : `HTTP ${status}`,
    retryAfterSeconds:
      typeof seconds === 'number' && seconds >= 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : null,
    migratedToChatId: typeof chatId === 'number' ? chatId : null,
  };
}
