import type { KoaContextWithOIDC } from 'oidc-provider';
import { takeAll } from '../accounts/attempts/memory.ts';
import { addressGroup } from '../accounts/keys/rejected-keys.ts';
import { linkedAbort } from '../base/async/linked-abort.ts';
import { type GuardedFetch, isFetchable } from '../base/http/guarded-fetch.ts';
import { type ClientLimits, EVERYBODY } from './client-limits.ts';
import { errors, Provider } from './library.ts';

/** Requests for which a document was fetched. The library tries again when it reports the error of the first try. */
const served = new WeakSet<KoaContextWithOIDC>();

/** Whether the document of a client may be fetched now. Anybody can name a client, so fetches are limited. */
export async function mayFetchDocument(
  limits: ClientLimits,
  /** Absent when a page reads the client of a pending request again. */
  context: KoaContextWithOIDC | undefined,
  clientId: string,
): Promise<boolean> {
  if (!isFetchable(clientId) || (context && served.has(context))) return false;
  if (context) served.add(context);
  const waitSeconds = await takeAll([
    ...(context ? [[limits.fetches, addressGroup(context.ip)] as const] : []),
    [limits.allFetches, EVERYBODY],
  ]);
  if (waitSeconds === null) return true;
  context?.set('retry-after', String(waitSeconds));
  const words = `too many documents of clients were requested; wait ${waitSeconds} s`;
  throw Object.assign(new errors.TemporarilyUnavailable(words), { status: 429, statusCode: 429 });
}

/** Fetches a document for the request that is being answered; ends when its client hangs up. */
export async function fetchDocument(
  fetch: GuardedFetch,
  url: string,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  const response = Provider.ctx?.res;
  const linked = linkedAbort(signal ?? undefined);
  const hangUp = () => linked.abort(new Error('the client hung up'));
  if (response?.closed) hangUp();
  response?.once('close', hangUp);
  try {
    return await fetch(url, linked.signal);
  } finally {
    response?.off('close', hangUp);
    linked.release();
  }
}
