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

/** A message that shows the owner that an endpoint works. It is about no rule. */
export function endpointTest(endpointId: string, nowMs: number, baseUrl: string): AlertMessage {
  const page = `${baseUrl}/account/alerts`;
  return {
    eventId: eventIdOf(endpointId, 'entered', 'test', nowMs),
    isTest: true,
    ruleId: '',
    ruleName: 'Perpwire',
    operation: '',
    kind: 'entered',
    row: {},
    asOfMs: nowMs,
    text: 'This message shows that alerts reach you here.',
    pageUrl: page,
    pauseUrl: page,
  };
}
