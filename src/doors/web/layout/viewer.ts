import type { FastifyRequest } from 'fastify';
import { linkTo } from '../markup/page-links.ts';
import { DEFAULT_PREFERENCES, type Preferences, preferencesOf } from './preferences/preferences.ts';
import { isReturnable } from './safe-path.ts';

/** What the layout of a page takes from the request: who reads it, how, and where. */
export interface Viewer {
  /** The e-mail address of the signed-in user. */
  signedInAs: string | null;
  preferences: Preferences;
  /** The token of the reader's forms, on pages that are made for one reader. */
  csrf?: string;
  /** Path and known query of the page, to which forms of the layout return. */
  address: string;
}

export const ANONYMOUS: Viewer = { signedInAs: null, preferences: DEFAULT_PREFERENCES, address: '/' };

/** `query` has what the page knows of the request's query. */
export function viewerOf(
  request: FastifyRequest,
  signedInAs: string | null,
  query: ReadonlyMap<string, readonly string[]> = new Map(),
): Viewer {
  return {
    signedInAs,
    preferences: preferencesOf(request.headers.cookie),
    address: request.method === 'GET' || request.method === 'HEAD' ? returnAddress(request, query) : '/',
  };
}

/** Without the query, or the start page, where the address is too long to return to. */
function returnAddress(request: FastifyRequest, query: ReadonlyMap<string, readonly string[]>): string {
  const path = pathOf(request);
  return [linkTo(path, query), path].find(isReturnable) ?? '/';
}

export function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '/').split('?', 1)[0] ?? '/';
}
