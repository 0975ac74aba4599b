import { Agent, get } from 'node:http';

/** Sends requests at a constant rate without waiting for answers, and counts the good ones. */
export interface RequestOrder {
  port: number;
  key: string;
  perSecond: number;
  seconds: number;
}

export interface RequestOutcome {
  sent: number;
  good: number;
}

const PATHS = [
  '/api/v1/spreads?limit=100',
  '/api/v1/spreads?min_spread_pct=0.01&limit=50',
  '/api/v1/spreads/backtest?limit=100',
  '/api/v1/spreads/backtest?size_usd=500&sort=confidence_desc',
  '/api/v1/spreads/backtest?size_usd=25&min_cycles=2',
];

process.on('message', ({ port, key, perSecond, seconds }: RequestOrder) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const outcome: RequestOutcome = { sent: 0, good: 0 };
  const startedMs = performance.now();
  const timer = setInterval(() => {
    const elapsed = (performance.now() - startedMs) / 1000;
    const due = Math.min(elapsed, seconds) * perSecond;
    while (outcome.sent < due) {
      // Every tenth request is new, so that no cache helps.
      const path = PATHS[outcome.sent % PATHS.length] ?? '';
      const fresh = outcome.sent % 10 === 0 ? `&min_volume_usdt=${outcome.sent / 1000}` : '';
      outcome.sent++;
      get(
        { host: '127.0.0.1', port, path: path + fresh, agent, headers: { 'x-api-key': key } },
        (response) => {
          if (response.statusCode === 200) outcome.good++;
          response.resume();
        },
      ).on('error', () => {});
    }
    if (elapsed < seconds + 1) return;
    clearInterval(timer);
    process.send?.(outcome);
  }, 2);
});
process.on('disconnect', () => process.exit(0));
