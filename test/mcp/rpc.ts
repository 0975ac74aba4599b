export interface RpcReply {
  status: number;
  headers: Headers;
  text: string;
  body: {
    id?: unknown;
    result?: Record<string, unknown>;
    error?: { code: number; message: string; data?: unknown };
  };
}

export interface ToolOutcome {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: { data: unknown; meta: Record<string, unknown> };
}

/** Sends a body to the endpoint as it is. */
export async function postRaw(
  baseUrl: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<RpcReply> {
  const reply = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await reply.text();
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : {},
  };
}

export function handshakeRequest(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
}

export const MODERN = '2026-07-28';

/** Body and headers of a request of the era without a handshake. */
export function modernRequest(
  method: string,
  params: Record<string, unknown> = {},
  version = MODERN,
): { body: string; headers: Record<string, string> } {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: JSON.stringify({ jsonrpc: '2.0', id: 'm-1', method, params: { ...params, _meta } }),
    headers: {
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    },
  };
}

export async function callTool(
  baseUrl: string,
  key: string,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolOutcome> {
  const { body, text } = await postRaw(baseUrl, handshakeRequest('tools/call', { name, arguments: args }), {
    authorization: `Bearer ${key}`,
  });
  if (!body.result) throw new Error(`no result: ${text}`);
  return body.result as unknown as ToolOutcome;
}
