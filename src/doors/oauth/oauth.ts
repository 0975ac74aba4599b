import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup } from '../../accounts/keys/rejected-keys.ts';
import * as http from '../../base/http/node-http.ts';
import { Problem } from '../../base/problems.ts';
import { withKnownScopes } from '../../oauth/authorization-request.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { OAUTH_PATHS } from '../../oauth/protocol.ts';
import { isFault, readRegistration } from '../../oauth/registration.ts';
import { NO_SNIFF } from '../http/common-headers.ts';

const METADATA_PATHS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
const MAX_REGISTRATION_BYTES = 16 * 1024;
/** oidc-provider repeats these in its answers, whose headers must fit into the buffers of proxies. */
const REPEATED_HEADERS = ['origin', 'access-control-request-headers'];
const MOST_REPEATED_CHARACTERS = 1_000;

/** The endpoints of the authorization server. Its pages (sign-in, consent) belong to the web door. */
export function oauthDoor(authorization: AuthorizationServer): (server: FastifyInstance) => Promise<void> {
  const forward = async (request: FastifyRequest, reply: FastifyReply, raw = request.raw): Promise<void> => {
    reply.hijack();
    keepHeaders(reply.raw, { ...NO_SNIFF, 'x-request-id': request.id });
    await authorization.handle(raw, reply.raw, request.clientAddress);
  };

  const register = async (request: FastifyRequest, reply: FastifyReply) => {
    const wait = await authorization.limits.registrations.take(addressGroup(request.clientAddress));
    if (wait !== null)
      return reply
        .code(429)
        .headers({ 'retry-after': String(wait), 'cache-control': 'no-store' })
        .send({
          error: 'temporarily_unavailable',
          error_description: `Too many registrations came from this address; wait ${wait} s`,
        });
    const read = readRegistration(String(request.body ?? ''));
    if (isFault(read)) return reply.code(400).header('cache-control', 'no-store').send(read);
    await forward(request, reply, withBody(request.raw, JSON.stringify(read)));
    return reply;
  };

  return async (server) => {
    server.removeAllContentTypeParsers();
    server.addHook('onRequest', async (request) => {
      for (const name of REPEATED_HEADERS)
        if (String(request.headers[name] ?? '').length > MOST_REPEATED_CHARACTERS)
          throw new Problem(
            'bad-request',
            `The header ${name} has more than ${MOST_REPEATED_CHARACTERS} characters; shorten it.`,
          );
    });

    await server.register(async (forms) => {
      // oidc-provider reads these bodies itself.
      forms.addContentTypeParser('*', (_request, _payload, done) => done(null));
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        await forward(request, reply);
        return reply;
      };
      for (const path of [OAUTH_PATHS.token, OAUTH_PATHS.revocation])
        forms.route({ method: ['POST', 'OPTIONS'], url: path, handler });
      forms.route({ method: ['GET', 'OPTIONS'], url: OAUTH_PATHS.jwks, handler });
      for (const path of METADATA_PATHS) forms.route({ method: ['GET', 'OPTIONS'], url: path, handler });
      forms.options(OAUTH_PATHS.registration, handler);
      forms.get(`${OAUTH_PATHS.authorization}/:uid`, handler);
      forms.get(OAUTH_PATHS.authorization, async (request, reply) => {
        const { url = '' } = request.raw;
        const refused = await authorization.refusalOf(url, request.clientAddress);
        if (refused) return reply.code(refused.status).headers(refused.headers).send(refused.body);
        request.raw.url = withKnownScopes(url);
        return await handler(request, reply);
      });
    });

    await server.register(async (registrations) => {
      registrations.addContentTypeParser(
        'application/json',
        { parseAs: 'string', bodyLimit: MAX_REGISTRATION_BYTES },
        (_request, body, done) => done(null, body),
      );
      registrations.post(OAUTH_PATHS.registration, register);
    });
  };
}

/** Sends the headers even if they are removed before: oidc-provider's framework removes all when it reports an error. */
function keepHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return writeHead(...args);
  };
}

/** A copy of a request with another body, which has not been read yet. */
function withBody(request: IncomingMessage, body: string): IncomingMessage {
  const bytes = Buffer.from(body);
  const copy = new http.IncomingMessage(request.socket);
  copy.method = request.method;
  copy.url = request.url;
  copy.headers = { ...request.headers, 'content-length': String(bytes.length) };
  delete copy.headers['transfer-encoding'];
  // Node destroys the socket when an incomplete message is destroyed.
  copy.complete = true;
  copy.push(bytes);
  copy.push(null);
  return copy;
}
