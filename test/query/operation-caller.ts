import type { Caller } from '../../src/accounts/keys/directory.ts';
import { PLANS, type PlanName } from '../../src/accounts/plans.ts';
import type { WindowStates } from '../../src/accounts/windows/windows.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import type { Cell, Table, TableSpec } from '../../src/market/tables/table.ts';
import { encodeTable } from '../../src/market/tables/table-codec.ts';
import { type FrameStore, Timeline } from '../../src/market/timeline.ts';
import { dataOf } from '../../src/operations/answer/answer.ts';
import type { Meta } from '../../src/operations/answer/meta.ts';
import type { AnyOperation, DataSources } from '../../src/operations/operation.ts';
import { readParameters } from '../../src/query/parameter.ts';
import { VENUES } from '../../src/venues/registry.ts';

const NOWHERE: FrameStore = { load: async () => [] };

export const START_MS = Date.UTC(2026, 10, 14, 9, 30);

export interface CalledAnswer {
  data: Record<string, Cell>[];
  meta: Meta;
}

export interface OperationCaller {
  clock: ManualClock;
  publish(table: Table): Promise<void>;
  call(query: Readonly<Record<string, string | undefined>>, plan?: PlanName): CalledAnswer;
}

/** One operation on its own timeline, called as the entrance calls it, without a network. */
export function operationCaller(
  operation: AnyOperation,
  spec: TableSpec,
  sources: (timeline: Timeline) => Partial<DataSources>,
): OperationCaller {
  const clock = new ManualClock(START_MS);
  const timeline = new Timeline(spec, NOWHERE, createLog('silent'));
  const data = { venues: VENUES, ...sources(timeline) } as DataSources;
  return {
    clock,
    publish: async (table) => void timeline.take(clock.nowMs(), encodeTable(table), clock.nowMs()),
    call: (query, plan = 'business') => {
      const sent = new Map<string, string[]>();
      for (const [name, value] of Object.entries(query)) if (value !== undefined) sent.set(name, [value]);
      const answer = operation.run(readParameters(operation.parameters, sent), {
        baseUrl: 'https://perpwire.example',
        nowMs: clock.nowMs(),
        plan: PLANS[plan],
        caller: {} as Caller,
        states: {} as WindowStates,
        data,
        sent,
      });
      if (answer instanceof Promise) throw new Error('answers from memory come at once');
      return { data: dataOf(answer) as CalledAnswer['data'], meta: answer.meta };
    },
  };
}
