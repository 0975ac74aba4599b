import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { request } from '../base/http/node-http.ts';

interface SimulatorCall {
  /** Sent with POST. */
  body?: string;
  signal?: AbortSignal;
}

/** A call of the simulator's own interface, whose replies are read as a stream. Rejects with its words if it refuses. */
export async function callSimulator(
  url: string,
  { body, signal }: SimulatorCall = {},
): Promise<IncomingMessage> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    // A connection of its own: the simulator may end an idle one just as a process that was held up uses it again.
    const call = request(url, { method, agent: false, ...(signal ? { signal } : {}) });
    call.once('response', resolve);
    call.once('error', reject);
    call.once('close', () =>
      reject(new Error(`the simulator closed the connection without a reply to ${url}`)),
    );
    call.end(body);
  });
  if (reply.statusCode !== 200) throw new Error(`the simulator refused ${url}: ${await text(reply)}`);
  return reply;
}
