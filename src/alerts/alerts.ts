import type { Plan } from '../accounts/plans.ts';
import type { EventKind } from './alert-event.ts';
import type { Channel, ChannelKind, SendResult } from './channels/channel.ts';
import type { Preview } from './preview/preview.ts';
import type { Rule, RuleInput } from './rule.ts';

/** A place to which alerts of an account are sent. */
export interface Endpoint {
  id: string;
  accountId: string;
  kind: ChannelKind;
  /** Without secrets: a host name, an address. */
  description: string;
  /** `unconfirmed`: its receiver has not proved yet that it wants messages, so it gets none. */
  state: 'active' | 'paused' | 'unconfirmed';
  /** Why it is paused; null if it is active. */
  pausedReason: string | null;
  /** Since when no attempt has succeeded; null if the last one did. */
  failingSinceMs: number | null;
  createdAtMs: number;
}

/** The last known result of sending an event to an endpoint. */
export interface Delivery {
  eventId: string;
  ruleId: string;
  endpointId: string;
  kind: EventKind;
  text: string;
  state: 'waiting' | 'delivered' | 'failed';
  /** Why the last attempt failed, or why there will be no more; null if it was delivered or not tried yet. */
  reason: string | null;
  attempts: number;
  createdAtMs: number;
  lastAttemptAtMs: number | null;
  /** When the next attempt is due; null if there is none. */
  nextAttemptAtMs: number | null;
}

/** What an account has used of the messages of its plan in the present hour. */
export interface BudgetState {
  sent: number;
  messagesPerHour: number;
  /** Events that were left out and that the owner will get a report of. */
  leftOut: number;
  /** The end of the hour; null before its first message. */
  untilMs: number | null;
}

export interface TestSending {
  endpoint: Endpoint;
  result: SendResult;
}

/** What the account pages do with alerts. Refusals are Problems, whose detail is written for the owner. */
export interface Alerts {
  /** The channels that this server offers. */
  readonly channels: readonly Channel[];
  planOf(accountId: string): Plan;
  budget(accountId: string): Promise<BudgetState>;
  /** Oldest first. */
  rules(accountId: string): Promise<Rule[]>;
  rule(accountId: string, ruleId: string): Promise<Rule | null>;
  /** Throws the problems of the list for an unknown operation or a bad filter, and plan-limit beyond the plan. */
  createRule(accountId: string, input: RuleInput): Promise<Rule>;
  editRule(accountId: string, ruleId: string, input: RuleInput): Promise<Rule>;
  /** What such a rule would do now; null before the first snapshot. Throws as `createRule` does. */
  preview(
    accountId: string,
    input: Pick<RuleInput, 'operation' | 'query' | 'condition'>,
  ): Promise<Preview | null>;
  pauseRule(accountId: string, ruleId: string): Promise<void>;
  resumeRule(accountId: string, ruleId: string): Promise<void>;
  deleteRule(accountId: string, ruleId: string): Promise<void>;
  /** Sends a test message to every endpoint of the rule and waits for the results. Nothing is retried. */
  testRule(accountId: string, ruleId: string): Promise<TestSending[]>;
  /** Sends a test message to an endpoint, also to one that no rule uses yet, and waits for the result. */
  testEndpoint(accountId: string, endpointId: string): Promise<TestSending>;
  /** Newest first. */
  deliveries(accountId: string, filter?: { ruleId?: string; limit?: number }): Promise<Delivery[]>;
  endpoints(accountId: string): Promise<Endpoint[]>;
  /** `input` has the fields that the channel's form has. The secret is returned only here. */
  createEndpoint(
    accountId: string,
    kind: ChannelKind,
    input: Readonly<Record<string, string>>,
  ): Promise<{ endpoint: Endpoint; secret: string | null }>;
  /**
   * Sends a code to an endpoint that is not confirmed. A webhook that answers with it is confirmed; otherwise the owner
   * enters the code with `confirmEndpoint`.
   */
  sendCode(accountId: string, endpointId: string): Promise<TestSending>;
  /** Throws a Problem for a code that is wrong or too old. */
  confirmEndpoint(accountId: string, endpointId: string, code: string): Promise<void>;
  /** The new secret. The old one signs too for another day. */
  rotateSecret(accountId: string, endpointId: string): Promise<string>;
  /** Starts to send to a paused endpoint again. Messages from before are not sent. */
  resumeEndpoint(accountId: string, endpointId: string): Promise<void>;
  /** Throws a Problem while a rule uses it. */
  deleteEndpoint(accountId: string, endpointId: string): Promise<void>;
  /** The rule that a pause link is about; null for a link that is wrong, used or outdated. */
  ruleOfPauseLink(token: string): Promise<Rule | null>;
  /** False for a link that is wrong, used or outdated. */
  pauseByLink(token: string): Promise<boolean>;
}
