import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedPost {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** Empty if the text is not JSON. */
  body: Record<string, unknown>;
}

export interface Receiver {
  url: string;
  posts: ReceivedPost[];
  /** Answers confirmations with their challenge, and does not list them. */
  isConfirming: boolean;
  /** How it answers; 204 by default. */
  answer: (response: ServerResponse, post: ReceivedPost) => void;
  close(): Promise<void>;
}

/** Plays the server behind a webhook. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const posts: ReceivedPost[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const post = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      text,
      body: jsonOf(text),
    };
    // A receiver that wants alerts; tests of confirmation answer themselves.
    if (receiver.isConfirming && typeof post.body.challenge === 'string')
      return response.writeHead(200).end(post.body.challenge);
    posts.push(post);
    receiver.answer(response, post);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    isConfirming: true,
    answer: (response) => response.writeHead(204).end(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
