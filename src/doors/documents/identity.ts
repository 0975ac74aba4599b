import { API_VERSION } from '../../operations/description/discovery.ts';

/** How the server introduces itself: to clients, in its card, in the registry and in plugins. */
export const NAME = 'perpwire';
export const TITLE = 'Perpwire market data';
/** Registries allow at most 100 characters. */
export const DESCRIPTION = 'Read-only market data for crypto perpetual futures: funding, spreads, listings.';
export const VERSION = API_VERSION;

export function mcpUrl(baseUrl: string): string {
  return `${baseUrl}/mcp`;
}

/** Reverse-DNS name: `com.example/perpwire` for `example.com`; `local/perpwire` for an IPv6 address. */
export function registryName(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const isName = /^[a-z0-9.-]+$/i.test(hostname);
  return `${isName ? hostname.split('.').reverse().join('.') : 'local'}/${NAME}`;
}

/** The optional header of the remote, in the form that the server card and the registry share. */
export const KEY_HEADER = {
  name: 'Authorization',
  description: 'Bearer API key; omit to sign in with OAuth 2.1',
  isRequired: false,
  isSecret: true,
  value: 'Bearer {api_key}',
  variables: { api_key: { description: 'API key', isSecret: true } },
};
