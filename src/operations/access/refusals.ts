import type { KeyRefusal } from '../../accounts/keys/authenticate.ts';
import type { Plan } from '../../accounts/plans.ts';
import type { Scope } from '../../accounts/scopes.ts';
import type { WindowStates } from '../../accounts/windows/windows.ts';
import { Problem } from '../../base/problems.ts';
import { MAX_SUGGESTIONS, nearest, sharingStart } from '../../query/suggestions.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';

/** All refusals of a request. The API description shows the same texts. */
const REALM = 'Bearer realm="perpwire"';

const KEY_REFUSALS: Readonly<Record<KeyRefusal, string>> = {
  'not-a-key':
    'This is not an API key: keys start with pw_live_ or pw_test_. OAuth access tokens work at /mcp only.',
  malformed: 'The key is mistyped: its checksum does not fit. Copy it again, whole.',
  unknown: 'This key is not known here.',
  revoked: 'This key was revoked. Create a new one.',
  expired: 'This key has expired. Create a new one, or set a later expiry.',
  'rotated-out': 'This key was rotated more than 24 hours ago. Use the new one.',
  suspended: 'The account of this key is suspended. Ask the operator of this service.',
  'test-key-not-on-loopback': 'A pw_test_ key works only on a loopback address. Use a pw_live_ key.',
};

export function apiDisabled(): Problem {
  return new Problem('api-disabled', 'The operator of this host has not enabled the API.');
}

export function keyMissing(): Problem {
  return new Problem(
    'unauthenticated',
    'Send an API key as "Authorization: Bearer <key>" or in the X-Api-Key header.',
    { headers: { 'www-authenticate': REALM } },
  );
}

export function keyRefused(reason: KeyRefusal): Problem {
  return new Problem('unauthenticated', KEY_REFUSALS[reason], {
    headers: {
      'www-authenticate': `${REALM}, error="invalid_token", error_description="The key is unknown, expired or revoked"`,
    },
  });
}

/** An access token where only keys are accepted. */
export function tokenRefused(baseUrl: string): Problem {
  return new Problem(
    'unauthenticated',
    `This is an OAuth access token. It works at ${baseUrl}/mcp only; the REST API takes an API key, which you create at ${baseUrl}/account/keys.`,
    {
      headers: {
        'www-authenticate': `${REALM}, error="invalid_token", error_description="An OAuth access token is no API key"`,
      },
    },
  );
}

const GRANT_REFUSALS = {
  expired: 'The access token has expired. Get a new one with the refresh token.',
  unknown: 'This access token is not known here, or was revoked. Connect again.',
  suspended: 'The account of this access token is suspended. Ask the operator of this service.',
};

export function grantRefused(reason: keyof typeof GRANT_REFUSALS): Problem {
  return new Problem('unauthenticated', GRANT_REFUSALS[reason], {
    headers: { 'www-authenticate': `${REALM}, error="invalid_token"` },
  });
}

export function addressBlocked(retryAfterSeconds: number): Problem {
  return new Problem(
    'rate-limited',
    `Too many wrong keys came from this address. Wait ${retryAfterSeconds} s.`,
    { headers: { 'retry-after': String(retryAfterSeconds) } },
  );
}

export function scopeMissing(scope: Scope, held: readonly Scope[], states: WindowStates): Problem {
  const has = held.length === 0 ? 'none' : held.join(', ');
  return new Problem('scope-missing', `This endpoint needs the scope ${scope}; the key has: ${has}.`, {
    headers: {
      'www-authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"`,
      ...rateHeaders(states),
    },
  });
}

export function windowSpent(
  plan: Plan,
  spent: 'minute' | 'month',
  retryAfterSeconds: number,
  states: WindowStates,
): Problem {
  const headers = { 'retry-after': String(retryAfterSeconds), ...rateHeaders(states) };
  if (spent === 'minute') {
    return new Problem(
      'rate-limited',
      `The ${plan.title} plan allows ${plan.requestsPerMinute} requests a minute; wait ${retryAfterSeconds} s.`,
      { headers },
    );
  }
  return new Problem(
    'quota-exhausted',
    `The ${plan.title} plan allows ${plan.requestsPerMonth} requests a month; it resets on the 1st at 00:00 UTC.`,
    { headers },
  );
}

/** The computing time of the caller is spent, whatever its plan has left. */
export function timeSpent(retryAfterSeconds: number): Problem {
  return new Problem(
    'rate-limited',
    `Your requests have taken more computing time than this service gives to one caller; wait ${retryAfterSeconds} s.`,
    { headers: { 'retry-after': String(retryAfterSeconds) } },
  );
}

/** A stream that was closed a moment ago may still be counted. */
const STREAM_RETRY_SECONDS = 5;

export function streamsSpent(plan: Plan): Problem {
  const streams = plan.streamCount === 1 ? '1 open stream' : `${plan.streamCount} open streams`;
  return new Problem(
    'rate-limited',
    `The ${plan.title} plan allows ${streams} for each key at a time; close one before you open another.`,
    { headers: { 'retry-after': String(STREAM_RETRY_SECONDS) } },
  );
}

/** A page beyond the free ones, while the windows of the account are spent. */
export function pagesSpent(freePerMinute: number, ...spent: Parameters<typeof windowSpent>): Problem {
  const { code, detail, headers } = windowSpent(...spent);
  const rule = `Beyond ${freePerMinute} pages a minute, every page counts as a request.`;
  return new Problem(code, `${rule} ${detail}`, { headers });
}

export function pageTooLarge(limit: number, plan: Plan): Problem {
  return new Problem(
    'plan-limit',
    `"limit" is ${limit}; the ${plan.title} plan returns at most ${plan.maxPageRows} rows a page.`,
  );
}

/** Suggests at most 8 tickers: those that the name of a contract stands for, then those with the same first two letters. */
export function unknownCoin(
  coin: string,
  tickers: readonly string[],
  named: readonly string[] = [],
): Problem {
  return new Problem(
    'unknown-coin',
    `No venue quotes "${coin.slice(0, 40)}"; search tickers with /api/v1/coins?q=.`,
    { suggestions: [...new Set([...named, ...sharingStart(coin, tickers)])].slice(0, MAX_SUGGESTIONS) },
  );
}

export function unknownExchange(name: string, served: readonly string[]): Problem {
  return new Problem(
    'unknown-exchange',
    `"${name.slice(0, 40)}" is not a served venue; names are case-sensitive, see /api/v1/exchanges.`,
    { suggestions: nearest(name, served) },
  );
}

export function snapshotUnavailable(): Problem {
  return new Problem(
    'snapshot-unavailable',
    'The service has just started and is collecting its first data. Retry in a minute.',
    { headers: { 'retry-after': '60' } },
  );
}

export function databaseUnavailable(): Problem {
  return new Problem(
    'snapshot-unavailable',
    'The database cannot be reached just now, and only it can answer this. Retry in a minute.',
    { headers: { 'retry-after': '60' } },
  );
}

/** For what only the database can answer: its absence is a 503. */
export function withoutDatabase(error: unknown): never {
  throw isStorageUnavailable(error) ? databaseUnavailable() : error;
}

export function diskUnwritable(): Problem {
  return new Problem(
    'snapshot-unavailable',
    'The service cannot store anything just now, and this has to be stored. The operator has been told; retry in a minute.',
    { headers: { 'retry-after': '60' } },
  );
}

const MINUTE_SECONDS = 60;
const MONTH_SECONDS = 2_592_000;

export type RateHeaders = Record<
  'ratelimit-policy' | 'ratelimit' | 'x-ratelimit-limit' | 'x-ratelimit-remaining' | 'x-ratelimit-reset',
  string
>;

/** The IETF fields exactly as the contract has them, and the older X- fields for the minute window. */
export function rateHeaders({ minute, month }: WindowStates): RateHeaders {
  return {
    'ratelimit-policy': `minute;q=${minute.limit};w=${MINUTE_SECONDS}, month;q=${month.limit};w=${MONTH_SECONDS}`,
    ratelimit: `minute;r=${minute.remaining};t=${minute.resetSeconds}, month;r=${month.remaining};t=${month.resetSeconds}`,
    'x-ratelimit-limit': String(minute.limit),
    'x-ratelimit-remaining': String(minute.remaining),
    'x-ratelimit-reset': String(Math.ceil(minute.resetsAtMs / 1000)),
  };
}

/**
 * Addresses are repeated in headers (Location, Link), which must fit into the buffers of proxies. RFC 9110 recommends to
 * support at least 8,000 bytes.
 */
export const MOST_ADDRESS_BYTES = 8 * 1024;

export function addressTooLong(): Problem {
  return new Problem(
    'address-too-long',
    `The address has more than ${MOST_ADDRESS_BYTES} bytes; shorten its path or query.`,
  );
}
