import { SECOND_MS } from '../../base/times.ts';
import { ArbitragePublisher } from '../../engines/arbitrage/publisher.ts';
import { Audit } from '../../engines/audit/audit.ts';
import { SpreadBacktest } from '../../engines/backtest/running/spread-backtest.ts';
import { CostHistory } from '../../engines/depth/cost-history.ts';
import { DepthSamples } from '../../engines/depth/depth-samples.ts';
import type { OrderBooks } from '../../engines/depth/order-books.ts';
import { DepthPublisher } from '../../engines/depth/publisher.ts';
import { CoinPrices } from '../../engines/funding/coin-prices.ts';
import { SnapshotPublisher } from '../../engines/funding/snapshot-publisher.ts';
import { ListingsPublisher } from '../../engines/listings/publisher.ts';
import { SpreadPublisher } from '../../engines/spreads/publisher.ts';
import { TapeRecorder } from '../../engines/tape/recorder.ts';
import { openLake } from '../../lake/open.ts';
import { CoinSplitKeeper } from '../../market/coins/split-keeper.ts';
import type { CoinSplits } from '../../market/coins/splits.ts';
import { Freezer } from '../../market/freeze.ts';
import type { VenueHealth } from '../../venues/health.ts';
import type { Part, PartContext } from '../part.ts';
import type { HistoryPart } from './history.ts';
import { buildInProcess, NightlyLake } from './nightly-lake.ts';
import type { Writers } from './writers.ts';

/** Everything that is computed from all venues together. Among several processes one runs it. */
export interface Engine extends Part {
  freezer: Freezer;
  splits: CoinSplits;
  prices: CoinPrices;
  publisher: SnapshotPublisher;
  audit: Audit;
  spreads: SpreadPublisher;
  samples: DepthSamples;
  backtest: SpreadBacktest;
  listings: ListingsPublisher;
}

interface EngineOptions {
  writers: Writers;
  history: HistoryPart;
  books: OrderBooks;
  /** Health of all venues, including those that other processes watch. */
  health: () => VenueHealth[];
}

/** Opens the engine from what the database holds, as after a restart. */
export async function openEngine(context: PartContext, options: EngineOptions): Promise<Engine> {
  const { market, metrics, log, settings } = context;
  const { writers, history, books, health } = options;
  const coinSplits = await CoinSplitKeeper.open(context);
  const freezer = new Freezer(market, metrics, log, (nowMs) => books.curvesAt(nowMs), coinSplits.splits);
  const audit = await Audit.open({
    ...context,
    sums: history.keeper.sums,
    freezer,
    withholding: settings.auditWithhold,
  });
  const everyMs = settings.snapshotSeconds * SECOND_MS;
  const arbitrage = new ArbitragePublisher({ ...context, sums: history.keeper.sums, writers });
  const prices = new CoinPrices(context);
  const samples = await DepthSamples.open({ ...context, freezer, books });
  const costs = new CostHistory({ ...context, samples: samples.store, days: settings.depthDays });
  const tape = new TapeRecorder({ ...context, days: settings.tapeDays });
  const publisher = new SnapshotPublisher({
    ...context,
    freezer,
    history,
    audit,
    arbitrage,
    prices,
    depth: new DepthPublisher(writers.depth, costs),
    tape,
    writer: writers.funding,
    health,
    everyMs,
  });
  const spreads = new SpreadPublisher({
    ...context,
    freezer,
    audit,
    writer: writers.legs,
    everyMs: settings.spreadsSeconds * SECOND_MS,
  });
  context.observe((venue, batch, receivedAtMs) => samples.take(venue, batch, receivedAtMs));
  const backtest = new SpreadBacktest({
    ...context,
    samples,
    audit,
    writers: writers.backtest,
    windowDays: settings.backtestDays,
    folder: settings.dataDir,
  });
  const listings = await ListingsPublisher.open({ ...context, freezer, everyMs });
  context.observe((venue, batch, receivedAtMs) => listings.take(venue, batch, receivedAtMs));
  const parts: Part[] = [coinSplits, audit, publisher, spreads, listings, backtest, samples];
  if (settings.lakeNightly)
    parts.push(
      new NightlyLake({
        ...context,
        store: openLake(settings),
        build: (signal) => buildInProcess(settings, signal),
      }),
    );
  return {
    freezer,
    splits: coinSplits.splits,
    prices,
    publisher,
    audit,
    spreads,
    samples,
    backtest,
    listings,
    start: () => {
      for (const part of parts) part.start();
    },
    stop: async () => {
      for (const part of parts.toReversed()) await part.stop();
      await arbitrage.stop();
      tape.stop();
    },
  };
}
