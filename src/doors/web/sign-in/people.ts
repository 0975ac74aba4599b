import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../../../accounts/accounts.ts';
import type { Mailer } from '../../../accounts/people/mail.ts';
import type { Sessions } from '../../../accounts/people/sessions.ts';
import type { Users } from '../../../accounts/people/users.ts';
import type { UsagePoint, UsageSpan } from '../../../accounts/windows/usage-rows.ts';
import type { Clock } from '../../../base/clock.ts';
import type { AuthorizationServer } from '../../../oauth/authorization-server.ts';
import { accountRoutes } from '../account/account.ts';
import { sessionRoutes } from '../account/account-sessions.ts';
import { assistantRoutes } from '../account/assistants.ts';
import { keyRoutes } from '../account/keys.ts';
import { passwordRoutes } from '../account/passwords.ts';
import { usageRoutes } from '../account/usage.ts';
import { consentRoutes } from './consent.ts';
import { mailboxRoutes } from './mailbox.ts';
import { signInRoutes } from './sign-in.ts';
import { signUpRoutes } from './sign-up.ts';
import type { Visits } from './visits.ts';

export interface PeopleOptions {
  visits: Visits;
  users: Users;
  mailer: Mailer;
  authorization: AuthorizationServer;
  accounts: Accounts;
  sessions: Sessions;
  /** Requests of a key per hour or day, oldest first. */
  keyUsage: (keyId: string, span: UsageSpan, fromMs: number, toMs: number) => Promise<UsagePoint[]>;
  clock: Clock;
  baseUrl: string;
}

/** Pages on which people say who they are and what assistants may do. All of them work without scripts. */
export function peopleDoor(options: PeopleOptions): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      (_request, body, done) => done(null, body),
    );
    signInRoutes(server, options);
    signUpRoutes(server, options);
    passwordRoutes(server, options);
    consentRoutes(server, options);
    assistantRoutes(server, options);
    accountRoutes(server, options);
    keyRoutes(server, options);
    usageRoutes(server, options);
    sessionRoutes(server, options);
    mailboxRoutes(server, options);
  };
}
