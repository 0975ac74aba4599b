import type { IncomingMessage, ServerResponse } from 'node:http';

export function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}

/** Tells the caller what failed; an answer that has begun is cut. */
export function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else send(response, 400, JSON.stringify({ msg: error instanceof Error ? error.message : 'failed' }));
}

export async function bodyText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

/** The JSON of a text; the text itself if it is none. */
export function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
