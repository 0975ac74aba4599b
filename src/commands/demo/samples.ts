import { systemClock } from '../../base/clock.ts';
import { minuteOf } from '../../history/samples/model.ts';
import { samplePast } from '../../wiring/backtest/past-samples.ts';
import type { Service } from '../../wiring/service.ts';

/**
 * With this many coins on all venues, two busy cores make seven days of samples and the backtest in less than three
 * minutes. The first coins are majors, whose spreads rarely exceed the fees, so they would give no rows.
 */
const PAST_COINS = { first: 4, count: 8 };
const MINUTES_PER_DAY = 1440;

export interface DemoSamples {
  stop(): Promise<void>;
}

/** Samples the simulator's last days in the background. The backtest follows, and is live when all samples are stored. */
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
      if (!stopping.signal.aborted) service.log.error({ err: error }, 'could not sample the simulated past');
    })
    .then(() => {
      // After an interruption the limit stays: the next run stores the missing samples first.
      if (!stopping.signal.aborted) service.backtest.limitTo(null);
    });
  return {
    stop: async () => {
      stopping.abort();
      await past;
    },
  };
}
