import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../../accounts/keys/directory.ts';
import { SIZE_PARAMETER } from '../../../engines/depth/size-columns.ts';
import { COST_SIZES_USD } from '../../../history/depth/cost-codec.ts';
import { SIZE_BOUNDS } from '../../../operations/size.ts';
import { plainNumber } from '../markup/plain-number.ts';
import { servePageForm } from './page-form.ts';

export const SIZE_PATH = '/order-size';
const MAX_FORM_BYTES = 4 * 1024;

/**
 * The sizes of pages in USD: 1, 2 and 5 of each power of ten, and those for which costs are stored. Pages of any other size
 * would be made for one reader each; the API takes every size.
 */
const SIZE_STEPS_USD = [
  ...new Set([
    ...COST_SIZES_USD,
    ...[1, 2, 5].flatMap((step) => [2, 3, 4, 5].map((power) => step * 10 ** power)),
  ]),
]
  .filter((usd) => usd >= SIZE_BOUNDS.min && usd <= SIZE_BOUNDS.max)
  .sort((a, b) => a - b);

/** The step that differs by the smallest factor. */
export function steppedSize(usd: number): number {
  const factor = (step: number) => Math.abs(Math.log(step / Math.max(1, usd)));
  return SIZE_STEPS_USD.reduce((best, step) => (factor(step) < factor(best) ? step : best));
}

/** A size as people type it, as one of the steps; null for what is no size. */
export function sizeTyped(text: string): number | null {
  const usd = Number(plainNumber(text) || Number.NaN);
  return usd > 0 && Math.round(usd) > 0 ? steppedSize(usd) : null;
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
