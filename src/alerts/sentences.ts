import { isoTime } from '../base/times.ts';
import type { Row } from '../operations/answer/answer.ts';
import { figureName, figureSentence, figureText, plainWords } from '../operations/answer/row-words.ts';
import type { RowsDescription } from '../operations/operation.ts';
import type { EventKind, RowEventKind } from './alert-event.ts';
import type { Condition, CrossingCondition } from './rule.ts';

interface SentenceOptions {
  rows: RowsDescription;
  condition: Condition;
  kind: RowEventKind;
  row: Row;
  /** Whether the row is in the snapshot; otherwise only its identity is known. */
  isListed: boolean;
  asOfMs: number;
  delaySeconds: number;
}

/** What happened to a row, for people, with the time of the snapshot. */
export function eventSentence({ rows, condition, kind, row, isListed, ...time }: SentenceOptions): string {
  const words = rows.words ?? plainWords(rows.identity);
  const subject = words.subject(row);
  const asOf = asOfText(time);
  if (!isListed) return `${subject.replace(/,$/, '')} has left your list. ${asOf}`;
  if (kind === 'entered') return `${subject} ${words.state(row)}. It is new on your list. ${asOf}`;
  if (kind === 'left') return `${subject} ${words.state(row)}. It has left your list. ${asOf}`;
  if (condition.kind !== 'crosses') throw new Error(`${kind} is an event of a crossing`);
  const { figure } = condition;
  const state = words.stateFigures.includes(figure)
    ? `${subject} ${words.state(row)}`
    : `${subject.replace(/,$/, '')}: ${figureSentence(words, figure, row)}`;
  return `${state}, ${crossingText(condition, kind)}. ${asOf}`;
}

/** What a test of a rule says. `row` is one that matches now; null if there is none. */
export function testSentence(
  name: string,
  rows: RowsDescription,
  row: Row | null,
  time: Pick<SentenceOptions, 'asOfMs' | 'delaySeconds'>,
): string {
  const start = `This is a test of your rule “${name}”.`;
  if (!row) return `${start} No row matches its filters now. ${asOfText(time)}`;
  const words = rows.words ?? plainWords(rows.identity);
  return `${start} ${words.subject(row)} ${words.state(row)}. ${asOfText(time)}`;
}

/** For the rows of a snapshot beyond those that are reported one by one. */
export function moreSentence(count: number, time: Pick<SentenceOptions, 'asOfMs' | 'delaySeconds'>): string {
  return `${count} more ${count === 1 ? 'row has' : 'rows have'} changed on your list. ${asOfText(time)}`;
}

/** A name for a rule whose owner gave it none. */
export function ruleName(path: string, condition: Condition): string {
  if (condition.kind !== 'crosses') return `${path}: a row ${condition.kind}`;
  const { figure, direction, bound } = condition;
  return `${path}: ${figureName(figure)} ${direction} ${boundText(figure, bound)}`;
}

function crossingText({ figure, direction, bound }: CrossingCondition, kind: EventKind): string {
  const text = `your ${boundText(figure, bound)}`;
  if (kind === 'crossed') return `${direction} ${text}`;
  return `back ${direction === 'above' ? 'below' : 'above'} ${text}`;
}

/** Without a plus sign: a bound is what the owner typed. */
function boundText(figure: string, bound: number): string {
  const text = figureText(figure, bound).replace(/^\+/, '');
  return figure.endsWith('apr_pct') ? `${text} APR` : text;
}

function asOfText({ asOfMs, delaySeconds }: Pick<SentenceOptions, 'asOfMs' | 'delaySeconds'>): string {
  const time = isoTime(asOfMs).slice(11, 19);
  const delay = delaySeconds > 0 ? `, delayed by ${Math.round(delaySeconds / 60)} minutes` : '';
  return `As of ${time} UTC${delay}.`;
}
