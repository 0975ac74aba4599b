import type { FastifyInstance } from 'fastify';
import { pauseRoutes } from './account/alerts/pause.ts';
import { serveAccountPages } from './account/pages.ts';
import { consentRoutes } from './sign-in/consent.ts';
import { mailboxRoutes } from './sign-in/mailbox.ts';
import { passwordResetRoutes } from './sign-in/password-reset.ts';
import type { PeopleOptions } from './sign-in/people-options.ts';
import { signInRoutes } from './sign-in/sign-in.ts';
import { signUpRoutes } from './sign-in/sign-up.ts';

const MAX_FORM_BYTES = 16 * 1024;

/** The pages for sign-in, consent and the account. All of them work without scripts. */
export function peopleDoor(options: PeopleOptions): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, body),
    );
    signInRoutes(server, options);
    signUpRoutes(server, options);
    passwordResetRoutes(server, options);
    consentRoutes(server, options);
    mailboxRoutes(server, options);
    pauseRoutes(server, options);
    serveAccountPages(server, options);
  };
}
