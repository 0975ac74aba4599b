import { memoryShelf, type Shelf } from '../../base/shelf.ts';
import { captureState } from '../../engines/backtest/capture-state.ts';
import { Backtest } from '../../engines/backtest/engine.ts';
import { type PairName, type PairView, pairView } from '../../engines/backtest/pair-view.ts';
import { BacktestRows, type TableParts, tableOf } from '../../engines/backtest/rows.ts';
import type { BacktestRule } from '../../engines/backtest/rule.ts';
import { type BacktestState, basisOf, decodeState, encodeState } from '../../engines/backtest/state.ts';
import { decodeSamples, encodeSamples } from '../../history/samples/codec.ts';
import { type MinuteSample, type SampledContract, SIZES_USD } from '../../history/samples/model.ts';
import { encodeTable } from '../../market/table-codec.ts';

export interface BacktestBasis {
  rule: BacktestRule;
  takerFeesPct: Readonly<Record<string, number>>;
}

/** The result at one minute: for each size the columns, and the same as a frame to be kept. */
export interface BacktestReport {
  minute: number;
  sizes: { parts: TableParts; frame: Uint8Array }[];
}

export interface BlockRequest {
  block: Uint8Array;
  /** Contracts that were numbered since the last block. */
  contracts: readonly SampledContract[];
  /** Minutes of the block after which a report is wanted. */
  reportAt: readonly number[];
}

export interface BlockOutcome {
  minute: number;
  reports: BacktestReport[];
  /** Why the block could not be read, if so: then its minutes are missing, and nothing else. */
  damage: string | null;
}

/** What the engine is asked to do, in this thread or in another one. */
export interface BacktestHost {
  /** Starts anew, from a state if there is a usable one. Answers the minute from which it goes on, or null. */
  begin(
    basis: BacktestBasis,
    state: Uint8Array | null,
    contracts: readonly SampledContract[],
  ): Promise<number | null>;
  take(request: BlockRequest): Promise<BlockOutcome>;
  report(): Promise<BacktestReport>;
  state(): Promise<{ minute: number; state: Uint8Array }>;
  /** What the figures of one pair are made from; null when it has no row. */
  pair(name: PairName): Promise<PairView | null>;
  /** Several blocks as one. */
  pack(blocks: readonly Uint8Array[]): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The engine in this thread. */
export class LocalBacktest implements BacktestHost {
  readonly #contracts = new Map<number, SampledContract>();
  readonly #openShelf: () => Shelf;
  #shelf: Shelf | null = null;
  #basis = '';
  #engine: Backtest | null = null;
  #rows: BacktestRows | null = null;

  constructor(openShelf: () => Shelf = memoryShelf) {
    this.#openShelf = openShelf;
  }

  async begin(
    basis: BacktestBasis,
    state: Uint8Array | null,
    contracts: readonly SampledContract[],
  ): Promise<number | null> {
    this.#shelf?.close();
    const shelf = this.#openShelf();
    this.#shelf = shelf;
    this.#learn(contracts);
    this.#basis = basisOf(basis.rule, basis.takerFeesPct);
    this.#engine = new Backtest({ ...basis, contractOf: (id) => this.#contracts.get(id), shelf });
    this.#rows = new BacktestRows(this.#engine);
    const known = state === null ? null : readState(state);
    if (known?.basis !== this.#basis) return null;
    this.#engine.resume(known);
    return known.minute;
  }

  async take({ block, contracts, reportAt }: BlockRequest): Promise<BlockOutcome> {
    const engine = this.#running();
    this.#learn(contracts);
    const reports: BacktestReport[] = [];
    let samples: MinuteSample[];
    try {
      samples = decodeSamples(block);
    } catch (error) {
      return {
        minute: engine.minute,
        reports,
        damage: error instanceof Error ? error.message : 'unreadable',
      };
    }
    for (const sample of samples) {
      engine.advance(sample);
      if (engine.minute === sample.minute && reportAt.includes(sample.minute))
        reports.push(await this.report());
    }
    return { minute: engine.minute, reports, damage: null };
  }

  async report(): Promise<BacktestReport> {
    const rows = this.#rows;
    const { minute } = this.#running();
    if (!rows) throw new Error('the backtest has not begun');
    return {
      minute,
      sizes: SIZES_USD.map((sizeUsd) => {
        const parts = rows.parts(sizeUsd);
        return { parts, frame: encodeTable(tableOf(parts)) };
      }),
    };
  }

  async state(): Promise<{ minute: number; state: Uint8Array }> {
    const engine = this.#running();
    return { minute: engine.minute, state: encodeState(captureState(engine, this.#basis)) };
  }

  async pair(name: PairName): Promise<PairView | null> {
    return pairView(this.#running(), name);
  }

  async pack(blocks: readonly Uint8Array[]): Promise<Uint8Array> {
    const byMinute = new Map(blocks.flatMap(decodeSamples).map((sample) => [sample.minute, sample]));
    return encodeSamples([...byMinute.values()].sort((a, b) => a.minute - b.minute));
  }

  async close(): Promise<void> {
    this.#engine = null;
    this.#shelf?.close();
    this.#shelf = null;
  }

  #learn(contracts: readonly SampledContract[]): void {
    for (const contract of contracts) this.#contracts.set(contract.id, contract);
  }

  #running(): Backtest {
    if (!this.#engine) throw new Error('the backtest has not begun');
    return this.#engine;
  }
}

/** A state that cannot be read is as good as none: everything is computed anew from the samples. */
function readState(bytes: Uint8Array): BacktestState | null {
  try {
    return decodeState(bytes);
  } catch {
    return null;
  }
}
