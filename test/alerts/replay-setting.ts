import { PLANS, type PlanName } from '../../src/accounts/plans.ts';
import { SCOPES } from '../../src/accounts/scopes.ts';
import { Evaluating } from '../../src/alerts/evaluating.ts';
import { questionOf } from '../../src/alerts/question.ts';
import type { Condition } from '../../src/alerts/rule.ts';
import { openRuleStore } from '../../src/alerts/store/rules.ts';
import { openStateStore, type StateStore } from '../../src/alerts/store/state.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { FUNDING_TABLE } from '../../src/engines/funding/table.ts';
import { storedFrames } from '../../src/market/frame-store.ts';
import { encodeTable } from '../../src/market/tables/table-codec.ts';
import { Timeline } from '../../src/market/timeline.ts';
import { funding } from '../../src/operations/funding.ts';
import type { DataSources } from '../../src/operations/operation.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { asOfMsOf, BOUND, FIRST_MS, HYSTERESIS, tableAt } from './made-snapshots.ts';

const log = createLog('silent');
const accountId = 'acc_1';

export const CROSSES: Condition = {
  ...{ kind: 'crosses', figure: 'rate_pct', direction: 'above' },
  ...{ bound: BOUND, hysteresis: HYSTERESIS, reportsReturn: true },
};

/** A rule that was made before the first snapshot, or at another time. */
export async function makeRule(
  storage: Storage,
  condition: Condition,
  {
    query = '',
    atMs = FIRST_MS - 1,
    endpointIds = ['end_1'],
  }: { query?: string; atMs?: number; endpointIds?: string[] } = {},
): Promise<string> {
  await storage.db
    .insertInto('accounts')
    .values({
      ...{ id: accountId, name: 'owner', email: null, plan: 'business', host_tier: null, revision: 0 },
      ...{ created_at_ms: 0, suspended_at_ms: null, deleted_at_ms: null, taker_fees: null },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await openRuleStore(storage, new ManualClock(atMs)).create(
    accountId,
    { name: 'Rule', operation: 'funding', query, condition, everyMinutes: 0, endpointIds },
    9,
  );
  if (!made) throw new Error('no rule');
  return made.id;
}

/** Stores the snapshot as the engine does. */
export async function publish(storage: Storage, snapshot: number): Promise<void> {
  const frame = encodeTable(tableAt(snapshot));
  await storedFrames(storage).saveAll(
    [{ series: FUNDING_TABLE.name, asOfMs: asOfMsOf(snapshot), frame }],
    null,
  );
}

interface EvaluatorOptions {
  /** The number of the lease; null: of a single process. */
  fence?: number | null;
  delaySeconds?: number;
  plan?: PlanName;
  /** Messages that may wait in total. */
  mostWaiting?: number;
  /** Called around the storing of each evaluation. */
  beforeSave?: () => Promise<unknown>;
  afterSave?: () => Promise<unknown>;
}

/** What a process that has just started evaluates with: frames, rules and state from the database. */
export async function startEvaluator(
  storage: Storage,
  nowMs: number,
  { fence = null, delaySeconds = 0, plan = 'business', mostWaiting, ...around }: EvaluatorOptions = {},
) {
  // As a process does when it takes the lock: from then on all lower numbers are refused.
  if (fence !== null)
    await storage.db
      .insertInto('fences')
      .values({ name: 'alerts', fence })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ fence }))
      .execute();
  const clock = new ManualClock(nowMs);
  const timeline = new Timeline(FUNDING_TABLE, storedFrames(storage), log);
  await timeline.restore(nowMs, 3_600_000);
  const { beforeSave, afterSave } = around;
  const stored = openStateStore(storage, clock, mostWaiting);
  const states: StateStore = {
    ...stored,
    save: async (...evaluation) => {
      await beforeSave?.();
      const saved = await stored.save(...evaluation);
      await afterSave?.();
      return saved;
    },
  };
  const data = { venues: [], funding: timeline } as unknown as DataSources;
  const context = { baseUrl: 'https://perpwire.example', data, operations: [funding] };
  const evaluating = new Evaluating({
    ...{ storage, states, clock, log, metrics: createMetrics() },
    rules: openRuleStore(storage, clock),
    lease: fence === null ? null : { number: () => fence },
    callerOf: () => ({
      ...{ accountId, plan: { ...PLANS[plan], delaySeconds }, scopes: SCOPES },
      ...{ keyPrefix: '', keyId: null, slotId: '' },
    }),
    questionOf: ({ operation, query }, caller) => questionOf(operation, query, caller, context),
  });
  return {
    run: () => evaluating.run(),
    /** Takes the snapshots that were stored since. */
    follow: async (toMs: number) => {
      clock.setMs(toMs);
      await timeline.restore(toMs, 3_600_000);
    },
  };
}

/** The stored alerts in the form of `expectedEvents`, with repetitions. */
export async function storedEvents(storage: Storage, ruleId: string): Promise<string[]> {
  const events = await storage.db
    .selectFrom('alert_events')
    .selectAll()
    .where('rule_id', '=', ruleId)
    .orderBy('as_of_ms')
    .execute();
  return events.map(({ kind, row, as_of_ms: asOfMs }) => {
    const { venue_symbol: symbol } = JSON.parse(row) as Record<string, unknown>;
    return `${kind} ${symbol} ${new Date(asOfMs).toISOString().replace('.000', '')}`;
  });
}
