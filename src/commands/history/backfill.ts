import { systemClock } from '../../base/clock.ts';
import { createHttpClient } from '../../base/http/http-client.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import type { RequestBudget } from '../../base/request-budget.ts';
import { SECOND_MS } from '../../base/times.ts';
import { keyOf } from '../../history/settlements/directory.ts';
import { VenueBackfill } from '../../history/settlements/fetching/backfill.ts';
import type { SettlementKeeper } from '../../history/settlements/keeper.ts';
import { readSplits } from '../../market/coins/split-keeper.ts';
import { CoinSplits } from '../../market/coins/splits.ts';
import { Freezer } from '../../market/freeze.ts';
import { LatestMarket } from '../../market/latest.ts';
import type { Settings } from '../../settings.ts';
import type { Storage } from '../../storage/storage.ts';
import { Collector } from '../../venues/collecting/collector.ts';
import { chosenVenues } from '../../wiring/chosen-venues.ts';
import { UsageError, untilStopped } from '../command.ts';
import { progressLines, redraw } from './progress-bar.ts';
import { collectLists, missingPolls } from './venue-lists.ts';

interface BackfillByHand {
  keeper: SettlementKeeper;
  storage: Storage;
  settings: Settings;
  /** Null for all coins. */
  coins: ReadonlySet<string> | null;
}

const WORKERS_PER_VENUE = 3;
const GIVE_UP_AFTER_FAILURES = 5;
const REDRAW_EVERY_MS = SECOND_MS / 2;
const LINE_EVERY_MS = 10 * SECOND_MS;

/** Backfills in this process. Shows a progress bar per venue on a terminal, and a line every ten seconds elsewhere. */
export async function backfillByHand({ keeper, storage, settings, coins }: BackfillByHand): Promise<void> {
  const [log, metrics, http, clock] = [createLog('error'), createMetrics(), createHttpClient(), systemClock];
  const market = new LatestMarket(metrics, log);
  // A ticker that the service has split is split here too.
  const splits = new CoinSplits(await readSplits(storage, log));
  const freezer = new Freezer(market, metrics, log, () => new Map(), splits);
  const isPaced = settings.venuesUrl === null || settings.historyPaced;
  const sharedBudgets = new Map<string, RequestBudget>();
  const venues = chosenVenues(settings.venues).filter(({ facts }) => facts.noHistory === undefined);
  const collectors = venues.map(
    (venue) =>
      new Collector({
        venue,
        http,
        clock,
        log,
        metrics,
        simUrl: settings.venuesUrl,
        isPaced,
        sharedBudgets,
        accept: (from, batch, atMs, contracts) => market.accept(from, batch, atMs, contracts),
      }),
  );
  const stopping = new AbortController();
  const { signal } = stopping;
  void untilStopped().then(() => stopping.abort());
  await Promise.all(collectors.map((collector) => collectLists(collector, null, signal)));
  // Before the collectors stop: stopping clears the health of their sources.
  const incomplete = collectors.filter((collector) => missingPolls(collector, 'contracts').length > 0);
  await Promise.all(collectors.map((collector) => collector.stop()));
  freezer.freeze(clock.nowMs());
  const backfills = collectors.map((collector) => {
    const { venue } = collector;
    const { exchange } = venue.facts;
    return new VenueBackfill({
      source: {
        venue,
        contracts: collector.contracts,
        sender: (priority, abort) => collector.caller.sender(priority, abort),
        volumeOf: (venueSymbol) => market.volumeOf(venue, venueSymbol),
      },
      keeper,
      namesOf: (contract) => ({
        exchange,
        venueSymbol: contract.venueSymbol,
        symbol: `${contract.base}-${contract.quote}`,
        coin: freezer.identities.get(keyOf(exchange, contract.venueSymbol))?.coin ?? contract.base,
        isInverse: contract.isInverse,
        listedAtMs: contract.listedAtMs,
      }),
      days: settings.historyDays,
      ...(coins === null ? {} : { wants: ({ coin }: { coin: string }) => coins.has(coin) }),
      giveUpAfterFailures: GIVE_UP_AFTER_FAILURES,
      clock,
      log,
      metrics,
    });
  });
  for (const { venue } of incomplete)
    console.error(`${venue.facts.exchange} did not send all of its contract lists; run this again later`);

  const startedMs = clock.nowMs();
  const progress = () => backfills.map((one) => one.progress()).filter(({ contracts }) => contracts > 0);
  if (progress().length === 0) {
    await http.close();
    throw new UsageError(
      coins === null
        ? 'no venue sent its contract list; check the network, or --venues-url'
        : `no venue lists a contract on ${[...coins].join(', ')}; check --coin`,
    );
  }
  const stopShowing = show(() => progressLines(progress(), clock.nowMs() - startedMs));
  const work = async (backfill: VenueBackfill) => {
    while (!signal.aborted && !backfill.isDone) {
      const waitMs = await backfill.step(signal);
      if (waitMs > 0) await clock.sleep(Math.min(waitMs, SECOND_MS), signal);
    }
  };
  await Promise.all(
    backfills.flatMap((backfill) => Array.from({ length: WORKERS_PER_VENUE }, () => work(backfill))),
  );
  stopShowing();
  await http.close();
  const left = progress().filter(({ contracts, contractsDone }) => contractsDone < contracts);
  if (left.length > 0 || incomplete.length > 0) {
    console.error(
      signal.aborted
        ? 'Stopped. The next run continues from here.'
        : 'Some prints could not be fetched. Run this again later.',
    );
    process.exitCode = 1;
  }
}

/** Redraws on a terminal; elsewhere prints a line per venue from time to time. Returns a function that ends it. */
function show(lines: () => string[]): () => void {
  const { stderr } = process;
  let drawn = 0;
  const draw = () => {
    const now = lines();
    stderr.write(stderr.isTTY ? redraw(now, drawn, stderr.columns) : `${now.join('\n')}\n`);
    drawn = now.length;
  };
  const timer = setInterval(draw, stderr.isTTY ? REDRAW_EVERY_MS : LINE_EVERY_MS);
  return () => {
    clearInterval(timer);
    draw();
  };
}
