import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { safePath } from './safe-path.ts';

export interface PageFormOptions {
  path: string;
  baseUrl: string;
  maxBytes: number;
  /** Where the reader goes if the form does not name the page that it was on. */
  defaultBack?: string;
}

export interface SentForm {
  request: FastifyRequest;
  reply: FastifyReply;
  fields: URLSearchParams;
  /**
   * Whether one of our pages has sent the form. Pages of market data are shared by readers, so they hold no token: the
   * browser has to say it.
   */
  isOwn: boolean;
}

/**
 * A small form on pages of market data. `handle` stores what was sent; the reader then returns to the page, or goes to
 * the address that it returns.
 */
export function servePageForm(
  server: FastifyInstance,
  { path, baseUrl, maxBytes, defaultBack = '/' }: PageFormOptions,
  handle: (form: SentForm) => string | undefined | Promise<string | undefined>,
): void {
  const ownOrigin = new URL(baseUrl).origin;
  void server.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxBytes },
      (_request, body, done) => done(null, body),
    );
    forms.post(path, async (request, reply) => {
      const { origin, 'sec-fetch-site': site } = request.headers;
      const fields = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      const isOwn = site === undefined ? origin === ownOrigin : site === 'same-origin';
      const address = await handle({ request, reply, fields, isOwn });
      reply.header('cache-control', 'no-store');
      return reply.redirect(address ?? safePath(fields.get('back'), defaultBack), 303);
    });
  });
}
