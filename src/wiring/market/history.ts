import { SettlementHistory } from '../../history/settlements/history.ts';
import type { Identity } from '../../market/identity.ts';
import type { PartContext } from '../part.ts';

export type HistoryPart = SettlementHistory;

export function historyPart(
  context: PartContext,
  /** Identities by contract key; empty while another process runs the engine. */
  identities: () => ReadonlyMap<string, Identity>,
): Promise<HistoryPart> {
  const { historyDays, historyPaced, venuesUrl } = context.settings;
  return SettlementHistory.open({
    ...context,
    coinOf: (key) => identities().get(key)?.coin,
    days: historyDays,
    unpacedSimUrl: historyPaced ? null : venuesUrl,
  });
}
