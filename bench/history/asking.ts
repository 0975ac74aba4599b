import { PLANS } from '../../src/accounts/plans.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { HOUR_MS } from '../../src/base/times.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { answerText } from '../../src/operations/answer/answer.ts';
import { fundingHistory } from '../../src/operations/funding-history/funding-history.ts';
import type { DataSources, OperationContext } from '../../src/operations/operation.ts';
import { readParameters } from '../../src/query/parameter.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { END_MS } from './prints.ts';

/** Half an hour after the last print. */
const NOW_MS = END_MS + HOUR_MS / 2;

export type Ask = (values: Record<string, string>) => Promise<string>;

export async function openKeeper(storage: Storage): Promise<SettlementKeeper> {
  return await SettlementKeeper.open({
    storage,
    clock: new ManualClock(NOW_MS),
    log: createLog('silent'),
    metrics: createMetrics(),
  });
}

/** Runs the operation as the entrance does and writes its answer. Every query differs, so nothing is cached. */
export function asker(keeper: SettlementKeeper): Ask {
  const data = { venues: VENUES, funding: { at: () => null, exactly: () => null }, history: keeper };
  return async (values) => {
    const sent = new Map(Object.entries(values).map(([name, value]) => [name, [value]]));
    const answer = await fundingHistory.run(readParameters(fundingHistory.parameters, sent), {
      baseUrl: 'https://perpwire.example',
      nowMs: NOW_MS,
      plan: PLANS.business,
      data: data as unknown as DataSources,
      sent,
    } as unknown as OperationContext);
    return answerText(answer).text;
  };
}
