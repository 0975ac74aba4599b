import { ALERTS_LEASE, type AlertsLease } from '../../alerts/evaluating.ts';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { SECOND_MS } from '../../base/times.ts';
import { Leases } from '../../cluster/leases.ts';
import type { Settings } from '../../settings.ts';
import type { ClusterLink } from '../roles/link.ts';

/** The lease of the process that evaluates and delivers alerts. Processes that answer requests compete for it. */
export function openAlertsLease(
  { redis, channels, owner }: ClusterLink,
  { settings, log, metrics }: { settings: Settings; log: Log; metrics: Metrics },
): AlertsLease & Pick<Leases, 'join' | 'leave'> {
  const held = (isHeld: boolean) => metrics.leaseHeld.set({ lease: ALERTS_LEASE }, isHeld ? 1 : 0);
  const leases = new Leases({
    redis,
    clock: systemClock,
    log,
    metrics,
    // Apart from the leases of collectors, which are shared evenly among them.
    namespace: `${channels.namespace}:${ALERTS_LEASE}`,
    owner,
    shared: [],
    single: [ALERTS_LEASE],
    ttlMs: settings.leaseSeconds * SECOND_MS,
    events: {
      onTaken: (lease, fence) => {
        log.info({ lease, fence }, 'lease taken');
        held(true);
      },
      onDoubt: () => held(false),
      onGone: async (lease) => {
        log.info({ lease }, 'lease lost');
        held(false);
      },
    },
  });
  return {
    number: () => leases.fenceOf(ALERTS_LEASE),
    join: () => leases.join(),
    leave: () => leases.leave(),
  };
}
