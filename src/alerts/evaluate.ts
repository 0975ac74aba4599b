import { perSnapshot } from '../base/per-snapshot.ts';
import { MINUTE_MS } from '../base/times.ts';
import type { Table } from '../market/tables/table.ts';
import { type Row, rowObject } from '../operations/answer/answer.ts';
import type { MatchedRows } from '../operations/operation.ts';
import { type AlertEvent, eventIdOf, type RowEventKind } from './alert-event.ts';
import { canStartAt, type DueSnapshot, isSince } from './next-snapshot.ts';
import type { Rule } from './rule.ts';
import type { ActiveRule, Watch, WatchedList } from './rule-book.ts';
import { eventSentence, moreSentence } from './sentences.ts';
import {
  compareFigures,
  compareRows,
  type Figure,
  type IdentifiedRows,
  readFigure,
  sortFigure,
  type WatchChange,
} from './watch.ts';

export interface OutgoingEvent {
  event: AlertEvent;
  rule: Rule;
}

/** What one snapshot changes. Nothing of it is applied until it is stored. */
export interface Evaluation {
  watches: { watch: Watch; change: WatchChange }[];
  events: OutgoingEvent[];
  /** Events that count for the limit of a rule: at most one for each row in so many minutes. */
  lastEvents: { active: ActiveRule; rowId: number; atMs: number }[];
}

/** A row that has been in no snapshot for this long is gone. Before, its venue may have just started or be unavailable. */
const GONE_AFTER_MS = 15 * MINUTE_MS;
/** Below this, comparing every row with every bound is cheaper than sorting the rows first. */
const MIN_COMPARISONS_TO_SORT = 50_000;
/** A rule reports so many rows of a snapshot one by one; the rest is one event that counts them. */
const MAX_EVENTS_OF_RULE = 50;

export function emptyEvaluation(): Evaluation {
  return { watches: [], events: [], lastEvents: [] };
}

/** Compares the rows of one list with those of the snapshot before. Throws the problems of the list. */
export function evaluateList(list: WatchedList, due: DueSnapshot, nowMs: number, into: Evaluation): void {
  const { question, identities, watches } = list;
  const { asOfMs } = due;
  const matched = question.matchesAt(asOfMs, nowMs);
  if (!matched) return;
  const reader = identities.readerOf(matched.table);
  const identified = { rows: matched.rows, ids: reader.idsOf(matched.rows) };
  const figures = new Map<string, Figure>();
  const isSorted = matched.rows.length * watches.size > MIN_COMPARISONS_TO_SORT;
  for (const watch of watches.values()) {
    if (watch.isNew ? !canStartAt(watch, due) : due.isRepeated) continue;
    const compared = changeOf(watch, matched, identified, figures, isSorted);
    const change = withoutMissing(watch, compared, (id) => reader.rowOf(id) >= 0, asOfMs);
    if (!watch.isNew && change.added.length + change.removed.length === 0) continue;
    into.watches.push({ watch, change });
    if (watch.isNew) continue;
    for (const active of watch.rules)
      if (due.isNewest || isSince(active.rule.sinceMs, list, asOfMs))
        report(active, change, matched, asOfMs, into);
  }
}

/** Applies what has been stored. */
export function applyEvaluation({ watches, lastEvents }: Evaluation): void {
  for (const { watch, change } of watches) {
    watch.isNew = false;
    for (const id of change.added) watch.rows.add(id);
    for (const id of change.removed) watch.rows.delete(id);
  }
  for (const { active, rowId, atMs } of lastEvents) active.lastEventMs.set(rowId, atMs);
}

function changeOf(
  { condition, rows }: Watch,
  { table }: MatchedRows,
  identified: IdentifiedRows,
  figures: Map<string, Figure>,
  isSorted: boolean,
): WatchChange {
  if (condition.kind !== 'crosses') return compareRows(rows, identified);
  let figure = figures.get(condition.figure);
  if (!figure) {
    const read = isSorted ? sortFigure : readFigure;
    figure = read(identified, table.cell(condition.figure));
    figures.set(condition.figure, figure);
  }
  return compareFigures(rows, figure, condition);
}

/** The change without rows that have left the snapshot only a short time ago: nothing is known of them. */
function withoutMissing(
  { rows, missingSinceMs }: Watch,
  change: WatchChange,
  isInSnapshot: (id: number) => boolean,
  asOfMs: number,
): WatchChange {
  for (const id of missingSinceMs.keys()) if (!rows.has(id) || isInSnapshot(id)) missingSinceMs.delete(id);
  const removed = change.removed.filter((id) => {
    if (isInSnapshot(id)) return true;
    const sinceMs = missingSinceMs.get(id) ?? asOfMs;
    missingSinceMs.set(id, sinceMs);
    return asOfMs - sinceMs >= GONE_AFTER_MS;
  });
  return removed.length === change.removed.length ? change : { ...change, removed };
}

function report(
  active: ActiveRule,
  { added, removed }: WatchChange,
  matched: MatchedRows,
  asOfMs: number,
  into: Evaluation,
): void {
  const { condition } = active.rule;
  const { kind } = condition;
  let reported = 0;
  let left = 0;
  const reportAll = (ids: readonly number[], eventKind: RowEventKind) => {
    for (const id of ids) {
      if (isTooSoon(active, id, asOfMs)) continue;
      if (active.rule.everyMinutes > 0) into.lastEvents.push({ active, rowId: id, atMs: asOfMs });
      if (reported === MAX_EVENTS_OF_RULE) {
        left++;
        continue;
      }
      reported++;
      into.events.push({ event: eventOf(active, eventKind, id, matched, asOfMs), rule: active.rule });
    }
  };
  if (kind === 'enters') reportAll(added, 'entered');
  else if (kind === 'leaves') reportAll(removed, 'left');
  else {
    reportAll(added, 'crossed');
    if (condition.reportsReturn) reportAll(removed, 'returned');
  }
  if (left > 0) into.events.push({ event: moreEvent(active, left, asOfMs), rule: active.rule });
}

function isTooSoon({ rule, lastEventMs }: ActiveRule, rowId: number, asOfMs: number): boolean {
  if (rule.everyMinutes === 0) return false;
  const lastMs = lastEventMs.get(rowId);
  return lastMs !== undefined && asOfMs - lastMs < rule.everyMinutes * MINUTE_MS;
}

function eventOf(
  { rule, watch }: ActiveRule,
  kind: RowEventKind,
  id: number,
  { table }: MatchedRows,
  asOfMs: number,
): AlertEvent {
  const { identities, question } = watch.list;
  const { operation, delaySeconds } = question;
  const rowKey = identities.keyOf(id);
  const rowNumber = identities.readerOf(table).rowOf(id);
  const isListed = rowNumber >= 0;
  const row = isListed ? wholeRow(table, rowNumber) : identities.identityRow(id);
  const { condition } = rule;
  const text = eventSentence({
    ...{ rows: operation.rows, condition, kind, row, isListed, asOfMs, delaySeconds },
  });
  return {
    ...{ eventId: eventIdOf(rule.id, kind, rowKey, asOfMs), ruleId: rule.id },
    ...{ kind, rowKey, row, asOfMs, text },
  };
}

const wholeRows = perSnapshot((_table: Table) => new Map<number, Row>());

/** Made once for all rules that report the row. */
function wholeRow(table: Table, rowNumber: number): Row {
  return wholeRows(table).getOrInsertComputed(rowNumber, () =>
    rowObject({ table, numbers: [], columns: null }, rowNumber),
  );
}

function moreEvent({ rule, watch }: ActiveRule, count: number, asOfMs: number): AlertEvent {
  const { delaySeconds } = watch.list.question;
  return {
    eventId: eventIdOf(rule.id, 'more', '', asOfMs),
    ruleId: rule.id,
    kind: 'more',
    rowKey: '',
    row: { count },
    asOfMs,
    text: moreSentence(count, { asOfMs, delaySeconds }),
  };
}
