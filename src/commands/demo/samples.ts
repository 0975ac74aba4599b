import { systemClock } from '../../base/clock.ts';
import { minuteOf } from '../../history/samples/model.ts';
import { samplePast } from '../../wiring/backtest/past-samples.ts';
import type { Service } from '../../wiring/service.ts';

/**
 * So many coins on all venues make seven days of samples and their backtest well within three minutes on two cores that
 * are busy with everything else in a demo. The first ones are majors, whose venues hardly ever stray further than the
 * fees, so they would make no rows.
 */
const PAST_COINS = { first: 4, count: 8 };
const MINUTES_PER_DAY = 1440;

export interface DemoSamples {
  stop(): Promise<void>;
}

/** Samples the simulator's last days in the background; the backtest follows and goes live with the end of them. */
export function startDemoSamples(service: Service, simUrl: string, coins: number): DemoSamples {
  const stopping = new AbortController();
  service.backtest.limitTo(0);
  const past = samplePast({
    simUrl,
    market: service.context.market,
    store: service.samples.store,
    firstCoin: coins >= PAST_COINS.first + PAST_COINS.count ? PAST_COINS.first : 0,
    coins: Math.min(coins, PAST_COINS.count),
    toMinute: minuteOf(systemClock.nowMs()),
    minutes: service.context.settings.backtestDays * MINUTES_PER_DAY,
    signal: stopping.signal,
    onStored: (minute) => service.backtest.limitTo(minute),
  })
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) service.log.error({ err: error }, 'the simulated past was not sampled');
    })
    .then(() => {
      // When interrupted, the next run fills the gap before the backtest goes over it.
      if (!stopping.signal.aborted) service.backtest.limitTo(null);
    });
  return {
    stop: async () => {
      stopping.abort();
      await past;
    },
  };
}
