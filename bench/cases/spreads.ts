import { SpreadPrinter } from '../../src/engines/spreads/print.ts';
import { encodeTable } from '../../src/market/tables/table-codec.ts';
import { orderOf } from '../../src/query/sorting.ts';
import { type BenchCase, result } from '../harness.ts';
import { sized } from '../size.ts';
import { BenchMarket, FULL_COINS, LIVE_VENUES } from '../spreads/market.ts';
import { type NaiveLeg, naivePrint } from '../spreads/naive.ts';

const PAGE_ROWS = 100;
const ROUNDS = sized(24, 10, 2);
const WARM_UP_ROUNDS = sized(6, 4, 1);
/** Of the last rounds; the first of them warms up. */
const NAIVE_ROUNDS = sized(18, 4, 2);
const PRINT_EVERY_MS = 5000;
const SPREAD_DESC = { column: 'spread_pct', direction: 'desc' } as const;

/** A live print as the service makes it: rows, stored frame, and the first page of the default sort. */
function liveWay(market: BenchMarket, printer: SpreadPrinter) {
  const print = printer.print(
    market.made.freezer.statesAt(market.nowMs),
    market.made.freezer.identities,
    market.nowMs,
  );
  const frame = encodeTable(print.legs);
  const order = orderOf(print.rows, 'spread_desc', SPREAD_DESC, []);
  let bytes = 0;
  for (const row of order.subarray(0, PAGE_ROWS)) bytes += print.rows.rowJson(row).length;
  return { ...print, frameBytes: frame.length, bytes };
}

interface Measurement {
  contracts: number;
  rows: number;
  frameBytes: number;
  liveCpuMs: number;
  naiveCpuMs: number;
  quietCpuMs: number;
}

/** Both ways on the same market, in turns; median CPU time of this process. Where only growth is measured, without the naive way. */
function measure(market: BenchMarket, isBesideNaive = false): Measurement {
  const printer = new SpreadPrinter();
  let directions: ReadonlyMap<string, string>[] = [];
  let last = liveWay(market, printer);
  const [live, naive, quiet]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    market.move(PRINT_EVERY_MS);
    live.push(cpuMs(() => (last = liveWay(market, printer))));
    if (isBesideNaive && round >= ROUNDS - NAIVE_ROUNDS) {
      const legs: NaiveLeg[] = market.naiveLegs();
      naive.push(
        cpuMs(() => {
          directions = [...directions.slice(-1), naivePrint(legs, market.nowMs, directions).directions];
        }),
      );
    }
    // The same market a little later, without new observations.
    quiet.push(cpuMs(() => liveWay(market, printer)));
  }
  return {
    contracts: market.contracts,
    rows: last.rows.rowCount,
    frameBytes: last.frameBytes,
    liveCpuMs: median(live),
    naiveCpuMs: median(naive, 1),
    quietCpuMs: median(quiet),
  };
}

function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(samples: number[], warmUp = WARM_UP_ROUNDS): number {
  const sorted = samples.slice(warmUp).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** The most that the service may spend every five seconds. */
const MAX_CPU_MS = 60;
/** The number of venues before the last fifteen were added. */
const FEWER_VENUES = 20;

export const cases: BenchCase[] = [
  {
    name: 'spreads',
    isOneCore: true,
    run: async () => {
      const full = measure(new BenchMarket(), true);
      const fewer = measure(new BenchMarket(FULL_COINS, LIVE_VENUES.slice(0, FEWER_VENUES)));
      const twice = measure(new BenchMarket(FULL_COINS * 2));
      const naiveFrames = new BenchMarket();
      const rowsFrame = encodeTable(liveWay(naiveFrames, new SpreadPrinter()).rows).length;
      const size = `${LIVE_VENUES.length} venues, ${full.contracts} contracts, ${full.rows} pairs`;
      return [
        result({
          name: `CPU of one live print, every contract moved, with its frame and first page (${size})`,
          value: full.liveCpuMs,
          unit: 'ms',
          baseline: 'the naive way: objects, all pairs, all sorted and serialised',
          baselineValue: full.naiveCpuMs,
          target: { at: 'most', ratio: 0.2 },
        }),
        result({
          name: 'the same',
          value: full.liveCpuMs,
          unit: 'ms',
          baseline: 'allowed',
          baselineValue: MAX_CPU_MS,
          target: { at: 'most', ratio: 1 },
        }),
        result({
          name: `growth: microseconds of CPU per pair at ${LIVE_VENUES.length} venues, ${full.rows} pairs`,
          value: (full.liveCpuMs * 1000) / full.rows,
          unit: 'µs',
          baseline: `at ${FEWER_VENUES} venues, ${fewer.rows} pairs`,
          baselineValue: (fewer.liveCpuMs * 1000) / fewer.rows,
          target: { at: 'most', ratio: 1.3 },
        }),
        result({
          name: 'CPU of a print without new observations since the last',
          value: full.quietCpuMs,
          unit: 'ms',
          baseline: 'a print with every contract moved',
          baselineValue: full.liveCpuMs,
          target: { at: 'most', ratio: 1 },
        }),
        result({
          name: `growth: CPU of one live print at ${twice.rows} pairs`,
          value: twice.liveCpuMs,
          unit: 'ms',
          baseline: `at ${full.rows} pairs`,
          baselineValue: full.liveCpuMs,
          target: { at: 'most', ratio: 2.6 },
        }),
        result({
          name: 'bytes of one stored print (its legs)',
          value: full.frameBytes,
          unit: 'bytes',
          baseline: 'the same print stored as its rows, in the same encoding',
          baselineValue: rowsFrame,
          target: { at: 'most', ratio: 0.25 },
        }),
      ];
    },
  },
];
