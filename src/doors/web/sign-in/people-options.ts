import type { Accounts } from '../../../accounts/accounts.ts';
import type { Mailer } from '../../../accounts/people/mail.ts';
import type { Sessions } from '../../../accounts/people/sessions.ts';
import type { Users } from '../../../accounts/people/users.ts';
import type { UsagePoint, UsageSpan } from '../../../accounts/usage/rows.ts';
import type { Alerts } from '../../../alerts/alerts.ts';
import type { TelegramLinking } from '../../../alerts/channels/telegram/linking.ts';
import type { Clock } from '../../../base/clock.ts';
import type { AuthorizationServer } from '../../../oauth/authorization-server.ts';
import type { DataSources } from '../../../operations/operation.ts';
import type { Visits } from './visits.ts';

/** What the pages for sign-in and for the account need. */
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
  isSignUpOpen: boolean;
  /** How long entries of the security log are kept. */
  securityLogDays: number;
  /** Venues, and coins that forms suggest. */
  data: Pick<DataSources, 'venues' | 'coins'>;
  /** The served venues, as people spell them in their fees. */
  exchanges: readonly string[];
  alerts: Alerts;
  /** Null if the operator has set no bot. */
  telegram: TelegramLinking | null;
}
