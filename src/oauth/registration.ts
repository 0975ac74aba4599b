import { isObject, jsonOf } from '../base/parsing.ts';
import { visibleName } from './client-name.ts';
import { redirectFault } from './redirects.ts';

/** The error response of a refused registration (RFC 7591, 3.2.2). */
interface RegistrationFault {
  error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  error_description: string;
}

/** Other fields are dropped: a registered `scope` would limit later requests, `application_type` would restrict redirects. */
const ACCEPTED_FIELDS = [
  'client_name',
  'client_uri',
  'grant_types',
  'redirect_uris',
  'response_types',
  'token_endpoint_auth_method',
] as const;
const MAX_REDIRECTS = 20;
/** What is stored of a client that nobody may ever use. */
const MAX_STORED_BYTES = 4 * 1024;

/** Returns the accepted fields of a registration, or why it is refused. */
export function readRegistration(text: string): Record<string, unknown> | RegistrationFault {
  const fields = jsonOf(text);
  if (fields === undefined) return metadataFault('The body must be JSON');
  if (!isObject(fields)) return metadataFault('The body must be a JSON object');
  const accepted: Record<string, unknown> = {};
  for (const name of ACCEPTED_FIELDS) if (fields[name] !== undefined) accepted[name] = fields[name];
  const { redirect_uris: redirects, client_name: name } = accepted;
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > MAX_REDIRECTS)
    return redirectsFault(`redirect_uris must be a list of 1 to ${MAX_REDIRECTS}`);
  for (const uri of redirects) {
    const fault = typeof uri === 'string' ? redirectFault(uri) : 'is not text';
    if (fault !== null) return redirectsFault(`The redirect "${String(uri).slice(0, 200)}" ${fault}`);
  }
  if (name !== undefined) {
    if (typeof name !== 'string') return metadataFault('client_name must be text');
    accepted.client_name = visibleName(name);
  }
  // Set explicitly: otherwise a secret is issued, which clients then try to use.
  accepted.token_endpoint_auth_method ??= 'none';
  if (Buffer.byteLength(JSON.stringify(accepted)) > MAX_STORED_BYTES)
    return metadataFault(`The redirects and other metadata are longer than ${MAX_STORED_BYTES} bytes`);
  return accepted;
}

export function isFault(read: Record<string, unknown> | RegistrationFault): read is RegistrationFault {
  return 'error_description' in read;
}

function metadataFault(description: string): RegistrationFault {
  return { error: 'invalid_client_metadata', error_description: description };
}

function redirectsFault(description: string): RegistrationFault {
  return { error: 'invalid_redirect_uri', error_description: description };
}
