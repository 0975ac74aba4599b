import type { Caller } from '../../accounts/keys/directory.ts';
import { type Row, rowObject } from '../../operations/answer/answer.ts';
import type { MatchedRows } from '../../operations/operation.ts';
import type { RowEventKind } from '../alert-event.ts';
import { type QuestionContext, questionOf } from '../question.ts';
import { type Condition, type CrossingCondition, checkFigure, type RuleInput } from '../rule.ts';
import { eventSentence } from '../sentences.ts';
import { type LastDay, lastDayOf, type PairHistory } from './last-day.ts';

/** What a rule would do, before it is saved. */
export interface Preview {
  asOfMs: number;
  /** Rows that fit the filters now. */
  fitCount: number;
  /** Of these, the rows for which the condition holds now. */
  nowCount: number;
  lastDay: LastDay;
  /** The text of a message. Null: no row fits the filters, so there is none to speak of. */
  text: string | null;
  /** The condition holds for no row now, so `text` shows a row with its figure at the bound. */
  isExample: boolean;
}

export interface PreviewOptions {
  caller: Caller;
  context: QuestionContext;
  pairHistory: PairHistory;
  nowMs: number;
}

const EVENT_KINDS: Readonly<Record<Condition['kind'], RowEventKind>> = {
  enters: 'entered',
  leaves: 'left',
  crosses: 'crossed',
};

/** Null before the first snapshot. Throws the problems that the list has with the filters. */
export async function previewOf(
  { operation: path, query, condition }: Pick<RuleInput, 'operation' | 'query' | 'condition'>,
  options: PreviewOptions,
): Promise<Preview | null> {
  const { caller, context, nowMs } = options;
  const question = questionOf(path, query, caller, context);
  checkFigure(question, condition);
  const asOfMs = question.newestAsOfMs(nowMs);
  const matched = question.matchesAt(asOfMs ?? 0, nowMs);
  if (asOfMs === null || !matched) return null;
  const beyond = condition.kind === 'crosses' ? rowsBeyond(matched, condition) : matched.rows;
  const lastDay = await lastDayOf({ question, condition, matched, asOfMs, ...options });
  const [shown] = beyond.length > 0 ? beyond : matched.rows;
  const isExample = condition.kind === 'crosses' && beyond.length === 0;
  const row = shown === undefined ? null : rowObject({ ...matched, numbers: [], columns: null }, shown);
  const { operation, delaySeconds } = question;
  return {
    asOfMs,
    fitCount: matched.rows.length,
    nowCount: beyond.length,
    lastDay,
    text:
      row &&
      eventSentence({
        ...{ rows: operation.rows, condition, kind: EVENT_KINDS[condition.kind] },
        row: isExample ? atBound(row, condition) : row,
        ...{ isListed: true, asOfMs, delaySeconds },
      }),
    isExample,
  };
}

/** The rows whose figure is beyond the bound, the furthest first. */
function rowsBeyond({ table, rows }: MatchedRows, { figure, direction, bound }: CrossingCondition): number[] {
  const cell = table.cell(figure);
  const sign = direction === 'above' ? 1 : -1;
  return rows
    .filter((row) => sign * (cell(row) - bound) > 0)
    .sort((a, b) => sign * (cell(b) - cell(a)) || a - b);
}

function atBound(row: Row, condition: Condition): Row {
  return condition.kind === 'crosses' ? { ...row, [condition.figure]: condition.bound } : row;
}
