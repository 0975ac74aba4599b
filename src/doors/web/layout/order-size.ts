import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../../accounts/keys/directory.ts';
import { SIZE_PARAMETER } from '../../../engines/depth/size-columns.ts';
import { SIZE_BOUNDS } from '../../../operations/size.ts';
import { plainNumber } from '../markup/plain-number.ts';
import { servePageForm } from './page-form.ts';

export const SIZE_PATH = '/order-size';
const MAX_FORM_BYTES = 4 * 1024;

/** A size as people type it, as a whole number within what is priced; null for what is no size. */
export function sizeTyped(text: string): number | null {
  const usd = Math.round(Number(plainNumber(text) || Number.NaN));
  return usd > 0 ? Math.min(SIZE_BOUNDS.max, Math.max(SIZE_BOUNDS.min, usd)) : null;
}

interface OrderSizeOptions {
  baseUrl: string;
  signedIn: (request: FastifyRequest) => { caller: Caller } | null;
  /** Stores the size of an account in USD; null forgets it. */
  saveOrderSize: (accountId: string, sizeUsd: number | null) => Promise<void>;
}

/** Stores the size of the form in the account of the reader; none forgets it. Without an account only the address has it. */
export function serveOrderSize(server: FastifyInstance, options: OrderSizeOptions): void {
  const { baseUrl, signedIn, saveOrderSize } = options;
  const form = { path: SIZE_PATH, baseUrl, maxBytes: MAX_FORM_BYTES, defaultBack: '/arbitrage' };
  servePageForm(server, form, async ({ request, fields, isOwn }) => {
    const user = signedIn(request);
    if (isOwn && user)
      await saveOrderSize(user.caller.accountId, sizeTyped(fields.get(SIZE_PARAMETER) ?? ''));
    return undefined;
  });
}
