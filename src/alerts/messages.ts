import type { Ring } from '../accounts/vault/ring.ts';
import { type AlertEvent, eventIdOf } from './alert-event.ts';
import type { AlertMessage } from './message.ts';
import { PAUSE_PATH, pauseToken } from './pause-links.ts';
import { pageUrlOf } from './question.ts';
import type { StoredRule } from './store/rules.ts';

/** Completes an event with the links of its rule. */
export function messageOf(
  event: AlertEvent,
  rule: StoredRule,
  { baseUrl, ring }: { baseUrl: string; ring: Ring },
  isTest = false,
): AlertMessage {
  const { eventId, kind, row, asOfMs, text } = event;
  const { id: ruleId, name: ruleName, operation, query, pauseEpoch } = rule;
  const token = pauseToken(ring, { ruleId, pauseEpoch });
  return {
    ...{ eventId, isTest, ruleId, ruleName, operation, kind, row, asOfMs, text },
    pageUrl: pageUrlOf(baseUrl, operation, query),
    pauseUrl: `${baseUrl}${PAUSE_PATH}?token=${token}`,
  };
}

/** A message that is about no rule. */
export function accountMessage(
  { eventId, kind, row, asOfMs, text }: Omit<AlertEvent, 'ruleId' | 'rowKey'>,
  baseUrl: string,
  isTest = false,
): AlertMessage {
  const page = `${baseUrl}/account/alerts`;
  return {
    ...{ eventId, isTest, ruleId: '', ruleName: 'Perpwire', operation: '', kind, row, asOfMs, text },
    ...{ pageUrl: page, pauseUrl: page },
  };
}

/** Shows the owner that an endpoint works. */
export function endpointTest(endpointId: string, nowMs: number, baseUrl: string): AlertMessage {
  const eventId = eventIdOf(endpointId, 'entered', 'test', nowMs);
  const text = 'This message shows that alerts reach you here.';
  return accountMessage({ eventId, kind: 'entered', row: {}, asOfMs: nowMs, text }, baseUrl, true);
}

/** Asks a receiver whether it wants alerts: it answers with the code, or its owner enters it. */
export function confirmation(endpointId: string, code: string, nowMs: number, baseUrl: string): AlertMessage {
  const eventId = eventIdOf(endpointId, 'confirmation', code, nowMs);
  const text = `To get alerts here, enter the code ${code} at ${baseUrl}/account/alerts within an hour. If you did not ask for alerts, ignore this message: no other will follow.`;
  const message = accountMessage({ eventId, kind: 'confirmation', row: {}, asOfMs: nowMs, text }, baseUrl);
  return { ...message, challenge: code };
}
