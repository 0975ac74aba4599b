import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../accounts/keys/directory.ts';
import { KEY_START } from '../../accounts/keys/key-text.ts';
import { SCOPES } from '../../accounts/scopes.ts';
import { Problem } from '../../base/problems.ts';
import type { GrantFinding } from '../../operations/access/admission.ts';
import type { Entrance } from '../../operations/access/entrance.ts';
import { credentialIn } from '../http/credential.ts';

export type FindGrant = (accessToken: string) => Promise<GrantFinding>;

/** What the challenges of a protected resource refer to. */
export interface ChallengeTargets {
  metadataUrl: string;
}

const REALM = 'Bearer realm="perpwire"';

/** The caller who sent an API key, or an access token of our own authorization server. */
export async function identify(
  entrance: Entrance,
  findGrant: FindGrant,
  { headers }: IncomingMessage,
  address: string,
): Promise<Caller> {
  const credential = credentialIn(headers);
  const isKey = credential === null || credential.startsWith(KEY_START);
  return isKey
    ? await entrance.identify(credential, address)
    : await entrance.identifyGrant(() => findGrant(credential), address);
}

/** RFC 6750 and RFC 9728: the challenge with which a client finds the authorization server or requests a scope. */
export function challenge(problem: Problem, scope: string | null, { metadataUrl }: ChallengeTargets): string {
  const isMissing = !/error=/.test(problem.headers['www-authenticate'] ?? '');
  const error = isMissing
    ? []
    : problem.code === 'scope-missing'
      ? ['error="insufficient_scope"', `error_description="This tool needs ${scope}"`]
      : [
          'error="invalid_token"',
          'error_description="The key or access token is unknown, expired or revoked"',
        ];
  const wanted = problem.code === 'scope-missing' && scope !== null ? scope : SCOPES.join(' ');
  return [REALM, ...error, `scope="${wanted}"`, `resource_metadata="${metadataUrl}"`].join(', ');
}

/** The problem with this door's challenge instead of the REST one. */
export function challenged(problem: Problem, scope: string | null, targets: ChallengeTargets): Problem {
  if (problem.headers['www-authenticate'] === undefined) return problem;
  return new Problem(problem.code, problem.detail, {
    headers: { ...problem.headers, 'www-authenticate': challenge(problem, scope, targets) },
  });
}
