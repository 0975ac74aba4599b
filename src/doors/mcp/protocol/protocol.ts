import type { IncomingHttpHeaders } from 'node:http';
import { ownValue } from '../../../base/own-value.ts';
import { RpcError } from './rpc-error.ts';

/** Versions without a handshake: every request names its version. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];
/** Versions with the `initialize` handshake, newest first. Most clients still use one of these. */
export const HANDSHAKE_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
export const SUPPORTED_VERSIONS: readonly string[] = [...MODERN_VERSIONS, ...HANDSHAKE_VERSIONS];

export type Era = 'modern' | 'handshake';

export interface RpcRequest {
  id: string | number;
  method: string;
  params: Readonly<Record<string, unknown>>;
}

const META = 'io.modelcontextprotocol/';
const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;
const INVALID_PARAMS = -32_602;

/** The parameter that the header Mcp-Name must repeat, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Which of the two protocols a request uses. Throws if the request breaks the rules of that protocol. */
export function eraOf(request: RpcRequest, headers: IncomingHttpHeaders): Era {
  const sent = headerOf(headers, 'mcp-protocol-version');
  const meta = record(request.params._meta);
  const named = meta?.[`${META}protocolVersion`];
  const isHandshake = named === undefined && request.method !== 'server/discover';
  if (isHandshake && (sent === undefined || HANDSHAKE_VERSIONS.includes(sent))) return 'handshake';
  if (isHandshake && sent !== undefined && !MODERN_VERSIONS.includes(sent)) throw unsupported(request, sent);
  checkModern(request, headers, sent, meta);
  return 'modern';
}

function checkModern(
  request: RpcRequest,
  headers: IncomingHttpHeaders,
  sent: string | undefined,
  meta: Readonly<Record<string, unknown>> | null,
): void {
  const named = meta?.[`${META}protocolVersion`];
  if (typeof named !== 'string') throw missing(request, 'protocolVersion', 'the protocol version as text');
  if (record(meta?.[`${META}clientCapabilities`]) === null)
    throw missing(request, 'clientCapabilities', 'an object, {} when there are none');
  if (sent !== named) throw mismatch(request, 'MCP-Protocol-Version', named);
  if (!MODERN_VERSIONS.includes(named)) throw unsupported(request, named);
  if (headerOf(headers, 'mcp-method') !== request.method)
    throw mismatch(request, 'Mcp-Method', request.method);
  const field = ownValue(NAMED_BY, request.method);
  const name = field === undefined ? undefined : request.params[field];
  if (typeof name === 'string' && decodedHeader(headerOf(headers, 'mcp-name')) !== name)
    throw mismatch(request, 'Mcp-Name', name);
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

/** Names that are not valid in a header are sent as `=?base64?…?=`. */
function decodedHeader(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? '')?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

function record(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}

function missing({ id }: RpcRequest, key: string, what: string): RpcError {
  return new RpcError(INVALID_PARAMS, `params._meta must have "${META}${key}": ${what}`, { id, status: 400 });
}

function mismatch({ id }: RpcRequest, header: string, value: string): RpcError {
  const message = `The header ${header} must be sent and equal the body's value "${value.slice(0, 80)}"`;
  return new RpcError(HEADER_MISMATCH, message, { id, status: 400 });
}

function unsupported({ id }: RpcRequest, requested: string): RpcError {
  return new RpcError(UNSUPPORTED_VERSION, `Protocol version ${requested.slice(0, 40)} is not supported`, {
    id,
    status: 400,
    data: { supported: SUPPORTED_VERSIONS, requested: requested.slice(0, 40) },
  });
}
