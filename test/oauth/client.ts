import { createHash, randomBytes } from 'node:crypto';
import { SCOPES } from '../../src/accounts/scopes.ts';
import { type Decision, decide, type Person } from './person.ts';

export const CALLBACK = 'http://127.0.0.1:4711/callback';

export interface Reply {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** A plain OAuth client that can also send wrong requests. */
export class OAuthClient {
  readonly baseUrl: string;
  clientId = '';
  verifier = randomBytes(32).toString('base64url');

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  async register(
    metadata: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const reply = await fetch(`${this.baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ client_name: 'Test assistant', redirect_uris: [CALLBACK], ...metadata }),
    });
    const read = await readReply(reply);
    this.clientId = String(read.body.client_id ?? '');
    return read;
  }

  authorizeUrl(changes: Record<string, string | null> = {}): URL {
    const url = new URL(`${this.baseUrl}/oauth/authorize`);
    const parameters: Record<string, string | null> = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: CALLBACK,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: SCOPES.join(' '),
      state: 'the-state',
      resource: `${this.baseUrl}/mcp`,
      ...changes,
    };
    for (const [name, value] of Object.entries(parameters))
      if (value !== null) url.searchParams.set(name, value);
    return url;
  }

  async token(parameters: Record<string, string>): Promise<Reply> {
    return await this.#form('/oauth/token', parameters);
  }

  async exchange(code: string, changes: Record<string, string> = {}): Promise<Reply> {
    return await this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: this.verifier,
      resource: `${this.baseUrl}/mcp`,
      ...changes,
    });
  }

  async refresh(refreshToken: string): Promise<Reply> {
    return await this.token({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      resource: `${this.baseUrl}/mcp`,
    });
  }

  async revoke(token: string): Promise<Reply> {
    return await this.#form('/oauth/revoke', { token });
  }

  /** Registers, gets consent and exchanges the code. */
  async connect(
    person: Pick<Person, 'browser' | 'email'>,
    decision: Decision = {},
  ): Promise<{ access: string; refresh: string }> {
    if (this.clientId === '') await this.register();
    const answer = await decide(person, this.authorizeUrl(), decision);
    const { body } = await this.exchange(answer.searchParams.get('code') ?? '');
    return { access: String(body.access_token), refresh: String(body.refresh_token) };
  }

  async #form(path: string, parameters: Record<string, string>): Promise<Reply> {
    const reply = await fetch(`${this.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: this.clientId, ...parameters }),
    });
    return await readReply(reply);
  }
}

async function readReply(reply: Response): Promise<Reply> {
  const text = await reply.text();
  return {
    status: reply.status,
    headers: reply.headers,
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text },
  };
}

/** One tool call over MCP with any credential. */
export async function callTool(
  baseUrl: string,
  credential: string,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Reply> {
  const reply = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  return await readReply(reply);
}
