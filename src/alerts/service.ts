import type { Caller } from '../accounts/keys/directory.ts';
import type { Ring } from '../accounts/vault/ring.ts';
import { Problem } from '../base/problems.ts';
import type { Alerts } from './alerts.ts';
import { type Budget, currentBudget, endOf } from './budget.ts';
import { type EndpointServiceOptions, endpointService } from './endpoint-service.ts';
import { messageOf } from './messages.ts';
import { readPauseToken } from './pause-links.ts';
import { alertLimitsOf, everyMinutesOf, statesOf } from './plan-limits.ts';
import type { PairHistory } from './preview/last-day.ts';
import { previewOf } from './preview/preview.ts';
import type { QuestionContext } from './question.ts';
import type { Rule } from './rule.ts';
import { checkedRule, problemOf, testEvent, tooManyRules } from './rule-checks.ts';
import type { Outbox } from './store/outbox.ts';
import type { RuleStore, StoredRule } from './store/rules.ts';

interface AlertsServiceOptions extends Omit<EndpointServiceOptions, 'baseUrl'> {
  rules: RuleStore;
  outbox: Outbox;
  /** Null before the first message of an account. */
  budgetOf: (accountId: string) => Promise<Budget | null>;
  /** Null for an account that is suspended or deleted. */
  callerOf: (accountId: string) => Caller | null;
  context: QuestionContext;
  /** Signs the links that pause a rule. */
  ring: Ring;
  pairHistory: PairHistory;
}

const MAX_DELIVERIES = 100;

export function alertsService(options: AlertsServiceOptions): Alerts {
  const { rules, outbox, channels, context, ring, clock } = options;
  const { baseUrl } = context;
  const endpointsOf = endpointService({ ...options, baseUrl });
  const callerOf = (accountId: string): Caller => {
    const caller = options.callerOf(accountId);
    if (!caller) throw new Problem('unauthenticated', 'This account is suspended or deleted.');
    return caller;
  };
  const viewOf = (rule: StoredRule, caller: Caller, states: ReturnType<typeof statesOf>): Rule => {
    const { isPaused: _isPaused, ...rest } = rule;
    const problem = problemOf(rule, caller, context, clock.nowMs());
    const everyMinutes = everyMinutesOf(rule, caller.plan);
    return { ...rest, everyMinutes, state: states.get(rule.id) ?? 'paused', problem };
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
  const checkEndpoints = async (accountId: string, ids: readonly string[]): Promise<void> => {
    for (const id of ids) await endpointsOf.find(accountId, id);
  };
  const orUnknown = (isFound: boolean): void => {
    if (!isFound) throw unknown('rule');
  };
  const storedByLink = async (token: string): Promise<StoredRule | null> => {
    const link = readPauseToken(ring, token);
    const rule = link && (await rules.find(link.ruleId));
    return rule && !rule.isPaused && rule.pauseEpoch === link.pauseEpoch ? rule : null;
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
    preview: (accountId, input) =>
      previewOf(input, {
        ...{ caller: callerOf(accountId), context, nowMs: clock.nowMs() },
        pairHistory: options.pairHistory,
      }),
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
      await endpointsOf.limitTests(accountId);
      const event = testEvent(rule, caller, context, clock.nowMs());
      const message = messageOf(event, rule, { baseUrl, ring }, true);
      const targets = await Promise.all(rule.endpointIds.map((id) => endpointsOf.find(accountId, id)));
      return await endpointsOf.test(targets, message);
    },
    deliveries: (accountId, { ruleId, limit } = {}) =>
      outbox.deliveries(accountId, ruleId ?? null, Math.min(limit ?? MAX_DELIVERIES, MAX_DELIVERIES)),
    budget: async (accountId) => {
      const { messagesPerHour } = alertLimitsOf(callerOf(accountId).plan);
      const stored = await options.budgetOf(accountId);
      const { sent, leftOut } = currentBudget(stored, accountId, clock.nowMs());
      return { sent, leftOut, messagesPerHour, untilMs: stored && sent > 0 ? endOf(stored) : null };
    },
    ...endpointsOf.actions,
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

function unknown(what: string): Problem {
  return new Problem('not-found', `This account has no such ${what}.`);
}
