import { isoTime } from '../../../../base/times.ts';
import type { Age } from '../../layout/live-badge.ts';
import type { PageContext } from '../page-context.ts';

/** A page of settled payments is as new as the snapshot that its other figures are from; its answer is as old as the last payment. */
export function pageAge({ entrance, caller }: PageContext, { as_of, delayed_seconds }: Age): Age {
  const { plan } = caller;
  const snapshot = entrance.data.funding.at(plan.delaySeconds, entrance.clock.nowMs());
  return { as_of: snapshot ? isoTime(snapshot.asOfMs) : as_of, delayed_seconds };
}
