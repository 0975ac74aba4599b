import type { AccountStore } from '../accounts/account-store.ts';
import type { LimitAttempts } from '../accounts/attempts/memory.ts';
import type { Caller } from '../accounts/keys/directory.ts';
import type { Ring } from '../accounts/vault/ring.ts';
import type { Clock } from '../base/clock.ts';
import { Problem } from '../base/problems.ts';
import { HOUR_MS, SECOND_MS } from '../base/times.ts';
import type { Alerts, Endpoint, TestSending } from './alerts.ts';
import type { Channel } from './channels/channel.ts';
import type { AlertMessage } from './message.ts';
import { endpointTest, messageOf } from './messages.ts';
import { readPauseToken } from './pause-links.ts';
import { statesOf } from './plan-limits.ts';
import type { QuestionContext } from './question.ts';
import type { Rule } from './rule.ts';
import { checkedRule, problemOf, testEvent, tooManyRules } from './rule-checks.ts';
import type { EndpointStore, StoredEndpoint } from './store/endpoints.ts';
import type { Outbox } from './store/outbox.ts';
import type { RuleStore, StoredRule } from './store/rules.ts';

export interface AlertsServiceOptions {
  rules: RuleStore;
  endpoints: EndpointStore;
  outbox: Outbox;
  channels: readonly Channel[];
  accounts: Pick<AccountStore, 'find'>;
  /** Null for an account that is suspended or deleted. */
  callerOf: (accountId: string) => Caller | null;
  limitAttempts: LimitAttempts;
  context: QuestionContext;
  /** Signs the links that pause a rule. */
  ring: Ring;
  clock: Clock;
}

const MAX_ENDPOINTS = 20;
/** Tests send messages to addresses that the owner chose, so they are limited. */
const TEST_RULES = { most: 30, withinMs: HOUR_MS };
const TEST_TIMEOUT_MS = 20 * SECOND_MS;
const MAX_DELIVERIES = 100;

export function alertsService(options: AlertsServiceOptions): Alerts {
  const { rules, endpoints, outbox, channels, accounts, context, ring, clock } = options;
  const { baseUrl } = context;
  const tests = options.limitAttempts('alert-test', TEST_RULES);
  const callerOf = (accountId: string): Caller => {
    const caller = options.callerOf(accountId);
    if (!caller) throw new Problem('unauthenticated', 'This account is suspended or deleted.');
    return caller;
  };
  const viewOf = (rule: StoredRule, caller: Caller, states: ReturnType<typeof statesOf>): Rule => {
    const { isPaused: _isPaused, ...rest } = rule;
    const problem = problemOf(rule, caller, context, clock.nowMs());
    return { ...rest, state: states.get(rule.id) ?? 'paused', problem };
  };
  const rulesOf = async (accountId: string): Promise<Rule[]> => {
    const caller = callerOf(accountId);
    const stored = await rules.list(accountId);
    const states = statesOf(stored, caller.plan);
    return stored.map((rule) => viewOf(rule, caller, states));
  };
  const ruleOf = async (accountId: string, ruleId: string): Promise<Rule | null> =>
    (await rulesOf(accountId)).find(({ id }) => id === ruleId) ?? null;
  const existing = async (accountId: string, ruleId: string): Promise<Rule> => {
    const rule = await ruleOf(accountId, ruleId);
    if (!rule) throw unknown('rule');
    return rule;
  };
  const endpointOf = async (accountId: string, endpointId: string): Promise<StoredEndpoint> => {
    const endpoint = await endpoints.find(endpointId);
    if (endpoint?.accountId !== accountId) throw unknown('endpoint');
    return endpoint;
  };
  const channelOf = (kind: string): Channel => {
    const channel = channels.find((one) => one.kind === kind);
    if (!channel?.isOffered)
      throw new Problem(
        'invalid-parameter',
        `This server does not offer the channel "${kind.slice(0, 40)}".`,
      );
    return channel;
  };
  const checkEndpoints = async (accountId: string, ids: readonly string[]): Promise<void> => {
    for (const id of ids) await endpointOf(accountId, id);
  };
  const orUnknown = (isFound: boolean): void => {
    if (!isFound) throw unknown('rule');
  };
  const storedByLink = async (token: string): Promise<StoredRule | null> => {
    const link = readPauseToken(ring, token);
    const rule = link && (await rules.find(link.ruleId));
    return rule && !rule.isPaused && rule.pauseEpoch === link.pauseEpoch ? rule : null;
  };

  const limitTests = async (accountId: string): Promise<void> => {
    const waitSeconds = await tests.take(accountId);
    if (waitSeconds !== null)
      throw new Problem('rate-limited', `Too many tests; try again in ${Math.ceil(waitSeconds / 60)} min.`);
  };
  const sendTest = async (endpoint: StoredEndpoint, message: AlertMessage): Promise<TestSending> => {
    const channel = channelOf(endpoint.kind);
    const signal = AbortSignal.timeout(TEST_TIMEOUT_MS);
    const result = await channel.send(channel.parseTarget(endpoint.target()), [message], signal);
    return { endpoint: shown(endpoint), result };
  };

  return {
    channels: channels.filter(({ isOffered }) => isOffered),
    planOf: (accountId) => callerOf(accountId).plan,
    rules: rulesOf,
    rule: ruleOf,
    createRule: async (accountId, input) => {
      const caller = callerOf(accountId);
      const checked = checkedRule(input, caller, context, clock.nowMs());
      await checkEndpoints(accountId, checked.endpointIds);
      const created = await rules.create(accountId, checked, caller.plan.alertCount);
      if (!created) throw tooManyRules(caller.plan);
      return await existing(accountId, created.id);
    },
    editRule: async (accountId, ruleId, input) => {
      const checked = checkedRule(input, callerOf(accountId), context, clock.nowMs());
      await checkEndpoints(accountId, checked.endpointIds);
      orUnknown(await rules.edit(accountId, ruleId, checked));
      return await existing(accountId, ruleId);
    },
    pauseRule: async (accountId, ruleId) => orUnknown(await rules.pause(accountId, ruleId)),
    resumeRule: async (accountId, ruleId) => {
      await existing(accountId, ruleId);
      await rules.resume(accountId, ruleId);
    },
    deleteRule: async (accountId, ruleId) => orUnknown(await rules.delete(accountId, ruleId)),
    testRule: async (accountId, ruleId) => {
      const caller = callerOf(accountId);
      const rule = (await rules.list(accountId)).find(({ id }) => id === ruleId);
      if (!rule) throw unknown('rule');
      await limitTests(accountId);
      const event = testEvent(rule, caller, context, clock.nowMs());
      const message = messageOf(event, rule, { baseUrl, ring }, true);
      return await Promise.all(
        rule.endpointIds.map(async (id) => await sendTest(await endpointOf(accountId, id), message)),
      );
    },
    testEndpoint: async (accountId, endpointId) => {
      const endpoint = await endpointOf(accountId, endpointId);
      await limitTests(accountId);
      return await sendTest(endpoint, endpointTest(endpoint.id, clock.nowMs(), baseUrl));
    },
    deliveries: (accountId, { ruleId, limit } = {}) =>
      outbox.deliveries(accountId, ruleId ?? null, Math.min(limit ?? MAX_DELIVERIES, MAX_DELIVERIES)),
    endpoints: async (accountId) => (await endpoints.list(accountId)).map(shown),
    createEndpoint: async (accountId, kind, input) => {
      const channel = channelOf(kind);
      if ((await endpoints.list(accountId)).length >= MAX_ENDPOINTS)
        throw new Problem('plan-limit', `An account has at most ${MAX_ENDPOINTS} endpoints; delete one.`);
      const account = await accounts.find(accountId);
      const { target, secret } = await channel.create(input, { accountId, email: account?.email ?? null });
      const endpoint = await endpoints.create(accountId, kind, channel.describe(target), target);
      return { endpoint: shown(endpoint), secret: secret ?? null };
    },
    rotateSecret: async (accountId, endpointId) => {
      const endpoint = await endpointOf(accountId, endpointId);
      const channel = channelOf(endpoint.kind);
      if (!channel.rotateSecret)
        throw new Problem('invalid-parameter', `The channel ${channel.title} has no secret.`);
      const { target, secret } = channel.rotateSecret(channel.parseTarget(endpoint.target()), clock.nowMs());
      await endpoints.setTarget(endpointId, channel.describe(target), target);
      return secret;
    },
    resumeEndpoint: async (accountId, endpointId) => {
      await endpointOf(accountId, endpointId);
      await endpoints.change(endpointId, {
        ...{ pausedAtMs: null, pausedReason: null, failingSinceMs: null, failures: 0, notBeforeMs: 0 },
      });
    },
    deleteEndpoint: async (accountId, endpointId) => {
      await endpointOf(accountId, endpointId);
      const users = (await rules.list(accountId)).filter(({ endpointIds }) =>
        endpointIds.includes(endpointId),
      );
      if (users.length > 0)
        throw new Problem(
          'invalid-parameter',
          `The endpoint is used by the rule “${users[0]?.name}”; change or delete the rule first.`,
        );
      await endpoints.delete(endpointId);
    },
    ruleOfPauseLink: async (token) => {
      const rule = await storedByLink(token);
      return rule && { ...rule, state: 'active', problem: null };
    },
    pauseByLink: async (token) => {
      const rule = await storedByLink(token);
      return rule !== null && (await rules.pause(rule.accountId, rule.id));
    },
  };
}

/** Without the target, which has secrets. */
function shown(endpoint: StoredEndpoint): Endpoint {
  const { target: _target, failures: _failures, notBeforeMs: _notBeforeMs, ...rest } = endpoint;
  return rest;
}

function unknown(what: string): Problem {
  return new Problem('not-found', `This account has no such ${what}.`);
}
