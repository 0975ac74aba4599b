import type { Caller } from '../accounts/keys/directory.ts';
import type { Plan } from '../accounts/plans.ts';
import { Problem } from '../base/problems.ts';
import { rowObject } from '../operations/answer/answer.ts';
import { type AlertEvent, eventIdOf } from './alert-event.ts';
import { checkEveryMinutes } from './plan-limits.ts';
import { type Question, type QuestionContext, questionOf } from './question.ts';
import { checkFigure, parseRuleInput, type RuleInput } from './rule.ts';
import { ruleName, testSentence } from './sentences.ts';
import type { StoredRule } from './store/rules.ts';

/** The rule in the form in which it is stored. Throws the problems that the list has with the same filters. */
export function checkedRule(
  input: RuleInput,
  caller: Caller,
  context: QuestionContext,
  nowMs: number,
): RuleInput {
  const parsed = parseRuleInput(input);
  checkEveryMinutes(parsed, caller.plan);
  const question = questionOf(parsed.operation, parsed.query, caller, context);
  checkFigure(question, parsed.condition);
  newestMatches(question, nowMs);
  const operation = question.operation.path.slice(1);
  const name = parsed.name === '' ? ruleName(question.operation.path, parsed.condition) : parsed.name;
  return { ...parsed, name, operation, query: question.query };
}

/** Why a stored rule cannot be evaluated now; null if it can. */
export function problemOf(
  { operation, query, condition }: StoredRule,
  caller: Caller,
  context: QuestionContext,
  nowMs: number,
): string | null {
  try {
    const question = questionOf(operation, query, caller, context);
    checkFigure(question, condition);
    newestMatches(question, nowMs);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.detail;
    throw error;
  }
}

/** An event for trying the endpoints of a rule, about a row that matches now. */
export function testEvent(
  rule: StoredRule,
  caller: Caller,
  context: QuestionContext,
  nowMs: number,
): AlertEvent {
  const question = questionOf(rule.operation, rule.query, caller, context);
  const asOfMs = question.newestAsOfMs(nowMs) ?? nowMs;
  const matched = newestMatches(question, nowMs);
  const [first] = matched?.rows ?? [];
  const row =
    matched && first !== undefined
      ? rowObject({ table: matched.table, numbers: [], columns: null }, first)
      : null;
  const { operation, delaySeconds } = question;
  return {
    eventId: eventIdOf(rule.id, 'entered', `test ${nowMs}`, asOfMs),
    ruleId: rule.id,
    kind:
      rule.condition.kind === 'crosses' ? 'crossed' : rule.condition.kind === 'enters' ? 'entered' : 'left',
    rowKey: '',
    row: row ?? {},
    asOfMs,
    text: testSentence(rule.name, operation.rows, row, { asOfMs, delaySeconds }),
  };
}

export function tooManyRules({ title, alertCount }: Plan): Problem {
  const rules = alertCount === 1 ? '1 alert rule' : `${alertCount} alert rules`;
  return new Problem('plan-limit', `The ${title} plan allows ${rules}; delete one, or choose a larger plan.`);
}

function newestMatches(question: Question, nowMs: number) {
  const asOfMs = question.newestAsOfMs(nowMs);
  // Without a snapshot the filters are checked all the same.
  return question.matchesAt(asOfMs ?? 0, nowMs);
}
