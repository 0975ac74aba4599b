/** Scopes of the protocol that clients may request besides ours. */
export const PROTOCOL_SCOPES: readonly string[] = ['openid', 'offline_access'];

export const OAUTH_PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  registration: '/oauth/register',
  jwks: '/oauth/jwks',
};
export const INTERACTION_PATH = '/oauth/interaction';
