import { type Fields, isObject } from '../base/parsing.ts';
import { Problem } from '../base/problems.ts';
import type { Column } from '../market/tables/table.ts';
import type { StreamedOperation } from '../operations/operation.ts';
import type { Question } from './question.ts';

/**
 * When a rule reports a row. `enters` and `leaves` compare the rows that match the filters with those of the snapshot
 * before. `crosses` compares a figure of the matching rows with a bound: it reports when the figure reaches the bound,
 * and again when it has come back past the bound by the hysteresis.
 */
export type Condition = { kind: 'enters' } | { kind: 'leaves' } | CrossingCondition;

export interface CrossingCondition {
  kind: 'crosses';
  /** A number column of the list. */
  figure: string;
  direction: 'above' | 'below';
  bound: number;
  /** In the unit of the figure; at least 0. */
  hysteresis: number;
  /** Whether the return is reported too. */
  reportsReturn: boolean;
}

/** What an owner enters. `query` has the filters as in a URL, with or without the question mark. */
export interface RuleInput {
  /** At most 80 characters; empty: the service makes one from the condition. */
  name: string;
  /** The path of the list without its slash: `funding`, `spreads/backtest`. */
  operation: string;
  query: string;
  condition: Condition;
  /** At most one alert for each row in so many minutes; 0: no limit. */
  everyMinutes: number;
  /** Where alerts are sent. */
  endpointIds: readonly string[];
}

/** `over-limit`: the plan allows fewer rules than the account has, and older rules come first. */
export type RuleState = 'active' | 'paused' | 'over-limit';

export interface Rule extends RuleInput {
  id: string;
  accountId: string;
  state: RuleState;
  /** Why it cannot be evaluated, such as a venue that is no longer served; null if it can. */
  problem: string | null;
  createdAtMs: number;
  /** When it got its present filters and condition, or was resumed: snapshots of before are not reported. */
  sinceMs: number;
  /** Grows with every resume, so that links in older messages cannot pause the rule again. */
  pauseEpoch: number;
}

export const MAX_NAME_LENGTH = 80;
export const MAX_QUERY_LENGTH = 2_000;
export const MAX_EVERY_MINUTES = 7 * 24 * 60;
export const DEFAULT_EVERY_MINUTES = 15;
const MAX_ENDPOINTS_OF_RULE = 10;

/** The columns that a crossing can be about. */
function figuresOf({ rows }: Pick<StreamedOperation, 'rows'>): readonly Column[] {
  return rows.table.columns.filter(({ type }) => type === 'number' || type === 'integer');
}

/** Parses a rule from a form or a JSON body. Throws a Problem that names the field and what is allowed. */
export function parseRuleInput(input: unknown): RuleInput {
  const fields = objectOf(input, 'rule');
  // Names reach chats and mails of others: one line, without marks of the text direction.
  const name = textOf(fields.name ?? '', 'name', MAX_NAME_LENGTH)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim();
  const operation = textOf(fields.operation, 'operation', MAX_NAME_LENGTH).replace(/^\/+/, '');
  const query = textOf(fields.query ?? '', 'query', MAX_QUERY_LENGTH).replace(/^\?/, '');
  const everyMinutes = numberOf(fields.everyMinutes ?? DEFAULT_EVERY_MINUTES, 'everyMinutes');
  if (!Number.isInteger(everyMinutes) || everyMinutes < 0 || everyMinutes > MAX_EVERY_MINUTES)
    throw invalid('everyMinutes', `must be a whole number from 0 to ${MAX_EVERY_MINUTES}`);
  const { endpointIds } = fields;
  if (!Array.isArray(endpointIds) || !endpointIds.every((id) => typeof id === 'string'))
    throw invalid('endpointIds', 'must be a list of endpoints');
  const distinct = [...new Set<string>(endpointIds)];
  if (distinct.length === 0 || distinct.length > MAX_ENDPOINTS_OF_RULE)
    throw invalid('endpointIds', `must name 1 to ${MAX_ENDPOINTS_OF_RULE} endpoints`);
  return {
    name,
    operation,
    query,
    condition: parseCondition(fields.condition),
    everyMinutes,
    endpointIds: distinct,
  };
}

export function parseCondition(input: unknown): Condition {
  const fields = objectOf(input, 'condition');
  if (fields.kind === 'enters' || fields.kind === 'leaves') return { kind: fields.kind };
  if (fields.kind !== 'crosses') throw invalid('condition', 'must be enters, leaves or crosses');
  const { direction } = fields;
  if (direction !== 'above' && direction !== 'below') throw invalid('direction', 'must be above or below');
  const hysteresis = numberOf(fields.hysteresis ?? 0, 'hysteresis');
  if (hysteresis < 0) throw invalid('hysteresis', 'must not be negative');
  return {
    kind: 'crosses',
    figure: textOf(fields.figure, 'figure', MAX_NAME_LENGTH),
    direction,
    bound: numberOf(fields.bound, 'bound'),
    hysteresis,
    reportsReturn: fields.reportsReturn !== false,
  };
}

/** Throws a Problem if the list has no such figure, or not with these filters. */
export function checkFigure(
  { operation, query }: Pick<Question, 'operation' | 'query'>,
  condition: Condition,
): void {
  if (condition.kind !== 'crosses') return;
  const figures = figuresOf(operation);
  const figure = figures.find(({ name }) => name === condition.figure);
  if (!figure)
    throw new Problem('invalid-parameter', `"figure" must be a number of ${operation.path}.`, {
      suggestions: figures.map(({ name }) => name),
    });
  const { name, onlyWith } = figure;
  if (onlyWith !== undefined && !new URLSearchParams(query).has(onlyWith))
    throw new Problem('invalid-parameter', `"${name}" needs "${onlyWith}"; choose a size.`);
}

function objectOf(value: unknown, name: string): Fields {
  if (!isObject(value)) throw invalid(name, 'must be an object');
  return value;
}

function textOf(value: unknown, name: string, maxLength: number): string {
  if (typeof value !== 'string') throw invalid(name, 'must be a text');
  if (value.length > maxLength) throw invalid(name, `must be at most ${maxLength} characters`);
  return value;
}

function numberOf(value: unknown, name: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw invalid(name, 'must be a number');
  return number;
}

function invalid(name: string, why: string): Problem {
  return new Problem('invalid-parameter', `"${name}" ${why}.`);
}
