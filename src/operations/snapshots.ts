import { Problem } from '../base/problems.ts';
import type { TableSnapshot, TableSource } from '../market/timeline.ts';
import { snapshotUnavailable } from './access/refusals.ts';
import type { AnyOperation, DataSources, OperationContext } from './operation.ts';

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
  const snapshot = heldSnapshot(source, asOfMs, context);
  if (snapshot) return snapshot;
  throw new SnapshotNotHeld(source, asOfMs);
}

/** A cursor names a snapshot that is not held: it is too old, or another process has it and this one will. */
export class SnapshotNotHeld extends Problem {
  /** Fetches the snapshot; resolves to whether it is held now. */
  readonly fetch: () => Promise<boolean>;

  constructor(source: TableSource, asOfMs: number) {
    super(
      'invalid-parameter',
      '"cursor" has expired: its snapshot is no longer held; start again without it.',
    );
    this.fetch = async () => (await source.fetch?.(asOfMs)) ?? false;
  }
}

/** The snapshot of exactly this time; null if it is not held or the caller's plan may not see it yet. */
export function heldSnapshot(
  source: TableSource,
  asOfMs: number,
  { nowMs, plan }: Pick<OperationContext, 'nowMs' | 'plan'>,
): TableSnapshot | null {
  return asOfMs <= nowMs - plan.delaySeconds * 1000 ? source.exactly(asOfMs) : null;
}

/** Freshness of an operation that answers from one table: it changes with each snapshot of the table. */
export function untilNextSnapshot(
  pick: (data: DataSources) => TableSource,
): NonNullable<AnyOperation['freshness']> {
  return (data, delaySeconds, nowMs) => pick(data).at(delaySeconds, nowMs)?.asOfMs ?? null;
}
