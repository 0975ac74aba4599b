import { Problem } from '../base/problems.ts';
import type { TableSnapshot, TableSource } from '../market/timeline.ts';
import type { AnyOperation, DataSources, OperationContext } from './operation.ts';
import { snapshotUnavailable } from './refusals.ts';

/** The newest snapshot that the caller's plan may see. Throws 503 if there is none yet. */
export function currentSnapshot(source: TableSource, context: OperationContext): TableSnapshot {
  const snapshot = source.at(context.plan.delaySeconds, context.nowMs);
  if (snapshot) return snapshot;
  throw snapshotUnavailable();
}

/** The snapshot that a cursor names, if it is still held and the caller's plan may see it by now. */
export function cursorSnapshot(
  source: TableSource,
  asOfMs: number,
  context: OperationContext,
): TableSnapshot {
  const isAllowed = asOfMs <= context.nowMs - context.plan.delaySeconds * 1000;
  const snapshot = isAllowed ? source.exactly(asOfMs) : null;
  if (snapshot) return snapshot;
  throw new Problem(
    'invalid-parameter',
    '"cursor" has expired: its snapshot is no longer held; start again without it.',
  );
}

/** Freshness of an operation that answers from one table: it changes with each snapshot of the table. */
export function untilNextSnapshot(
  pick: (data: DataSources) => TableSource,
): NonNullable<AnyOperation['freshness']> {
  return (data, delaySeconds, nowMs) => pick(data).at(delaySeconds, nowMs)?.asOfMs ?? null;
}
