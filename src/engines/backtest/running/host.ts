import { decodeSamples, encodeSamples } from '../../../history/samples/codec.ts';
import {
  type MinuteSample,
  type SampledContract,
  SIZES_USD,
  type SizeUsd,
} from '../../../history/samples/model.ts';
import { encodeTable } from '../../../market/tables/table-codec.ts';
import { memoryScratch, type ScratchStore } from '../../../storage/scratch-file.ts';
import { captureState } from '../capture-state.ts';
import { Backtest } from '../engine.ts';
import { type PairName, type PairView, pairView } from '../pair-view.ts';
import { BacktestRows } from '../rows.ts';
import { type BacktestState, basisOf, decodeState, encodeState } from '../state.ts';
import type { BacktestBasis } from './basis.ts';

/** The result at one minute: a frame of each size. */
export interface BacktestReport {
  minute: number;
  sizes: { sizeUsd: SizeUsd; rowCount: number; frame: Uint8Array }[];
}

interface BlockRequest {
  block: Uint8Array;
  /** Contracts that got their id since the last block. */
  contracts: readonly SampledContract[];
  /** Minutes of the block after which to make a report. */
  reportAt: readonly number[];
}

interface BlockOutcome {
  minute: number;
  reports: BacktestReport[];
  /** Why the block could not be decoded, or null. A damaged block costs only its own minutes. */
  damage: string | null;
}

/** The backtest engine, in this thread (LocalBacktest) or in one of its own (BacktestThread). */
export interface BacktestHost {
  /** Starts anew, from the state if it is usable. Returns the minute of that state, or null. */
  begin(
    basis: BacktestBasis,
    state: Uint8Array | null,
    contracts: readonly SampledContract[],
  ): Promise<number | null>;
  take(request: BlockRequest): Promise<BlockOutcome>;
  report(): Promise<BacktestReport>;
  state(): Promise<{ minute: number; state: Uint8Array }>;
  /** The spreads and cycles behind the row of a pair; null if it has no row. */
  pair(name: PairName): Promise<PairView | null>;
  /** Merges several blocks into one. */
  pack(blocks: readonly Uint8Array[]): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The engine in this thread. */
export class LocalBacktest implements BacktestHost {
  readonly #contracts = new Map<number, SampledContract>();
  readonly #openScratch: () => ScratchStore;
  #scratch: { mids: ScratchStore; fills: ScratchStore } | null = null;
  #basis = '';
  #engine: Backtest | null = null;
  #rows: BacktestRows | null = null;

  constructor(openScratch: () => ScratchStore = memoryScratch) {
    this.#openScratch = openScratch;
  }

  async begin(
    basis: BacktestBasis,
    state: Uint8Array | null,
    contracts: readonly SampledContract[],
  ): Promise<number | null> {
    this.#closeScratch();
    const scratch = { mids: this.#openScratch(), fills: this.#openScratch() };
    this.#scratch = scratch;
    this.#learn(contracts);
    this.#basis = basisOf(basis.rule, basis.takerFeesPct);
    this.#engine = new Backtest({ ...basis, contractOf: (id) => this.#contracts.get(id), scratch });
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
    if (!rows) throw new Error('begin() has not been called');
    return {
      minute,
      sizes: SIZES_USD.map((sizeUsd) => {
        const table = rows.table(sizeUsd);
        return { sizeUsd, rowCount: table.rowCount, frame: encodeTable(table) };
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
    this.#closeScratch();
  }

  #closeScratch(): void {
    this.#scratch?.mids.close();
    this.#scratch?.fills.close();
    this.#scratch = null;
  }

  #learn(contracts: readonly SampledContract[]): void {
    for (const contract of contracts) this.#contracts.set(contract.id, contract);
  }

  #running(): Backtest {
    if (!this.#engine) throw new Error('begin() has not been called');
    return this.#engine;
  }
}

/** Null for an unreadable state: the caller then computes everything again from the samples. */
function readState(bytes: Uint8Array): BacktestState | null {
  try {
    return decodeState(bytes);
  } catch {
    return null;
  }
}
