import type { FastifyRequest } from 'fastify';
import { DEFAULT_PREFERENCES, type Preferences, preferencesOf } from '../preferences/preferences.ts';

/** What the frame of a page takes from the request: who reads it, how, and where. */
export interface Frame {
  /** The e-mail address of the signed-in user. */
  signedInAs: string | null;
  preferences: Preferences;
  /** The token of the reader's forms, on pages that are made for one reader. */
  csrf?: string;
  /** Path and query of the page, to which forms of the frame return. */
  address: string;
}

export const EMPTY_FRAME: Frame = { signedInAs: null, preferences: DEFAULT_PREFERENCES, address: '/' };

export function frameOf(request: FastifyRequest, signedInAs: string | null): Frame {
  return {
    signedInAs,
    preferences: preferencesOf(request.headers.cookie),
    address: request.method === 'GET' || request.method === 'HEAD' ? (request.raw.url ?? '/') : '/',
  };
}
