/**
 * What parsers return, in our units, whatever the venue's own are. Every field's unit is in its name or beside it.
 * Null means that the venue does not give the value; 0 is always a value.
 */

/** The state of a contract, reduced from the venue's own word (kept in `venueStatus`). */
export type ContractStatus = 'preopen' | 'trading' | 'halted' | 'delisting' | 'delisted';

/** The kind of underlying: stocks and commodities share tickers with coins and must not be mixed up with them. */
export const ASSET_CLASSES = ['crypto', 'stock', 'commodity', 'index', 'forex'] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

export interface Contract {
  /** The venue's own spelling, unique within the venue. */
  venueSymbol: string;
  /** The identifier that the venue's calls take, where it is not the symbol (Lighter's market_id). */
  venueId?: string;
  /** The contract's own base with its multiplier, venue aliases resolved: `1000PEPE`, `kPEPE`, `BTC` (not XBT). */
  base: string;
  quote: string;
  settle: string;
  /** Inverse means settled in the base coin. Quanto contracts are not observed at all. */
  isInverse: boolean;
  /** Linear: base units in one contract. Inverse: the face value of one contract in quote units (USD). */
  contractSize: number;
  status: ContractStatus;
  venueStatus: string;
  assetClass: AssetClass;
  /** First trading time, past or future. */
  listedAtMs: number | null;
  /** The scheduled end of trading, when the venue has set one. */
  delistsAtMs: number | null;
  maxLeverage: number | null;
  /** The taker fee in percent where it is not the venue's usual one. */
  takerFeePct?: number;
  /** The largest rate of one settlement in percent, of either sign, where the list states one for each contract. */
  rateCapPct?: number;
  /** Settlement interval, where the instrument list gives it. */
  intervalHours: number | null;
}

type OptionalFact = 'listedAtMs' | 'delistsAtMs' | 'maxLeverage' | 'intervalHours';
type LinearDefault = 'settle' | 'isInverse' | 'contractSize' | 'assetClass';

/** A contract, with null for every fact that the venue's list does not give. */
export function contractWith(fields: Omit<Contract, OptionalFact> & Partial<Contract>): Contract {
  return { listedAtMs: null, delistsAtMs: null, maxLeverage: null, intervalHours: null, ...fields };
}

/** A contract that is settled in its quote and counted in base units, on a coin unless `fields` say otherwise. */
export function linearContract(
  fields: Omit<Contract, OptionalFact | LinearDefault> & Partial<Contract>,
): Contract {
  return contractWith({
    settle: fields.quote,
    isInverse: false,
    contractSize: 1,
    assetClass: 'crypto',
    ...fields,
  });
}

/** The status of a contract that still trades but has an end set. */
export function withEnd(status: ContractStatus, delistsAtMs: number | null): ContractStatus {
  return status === 'trading' && delistsAtMs !== null ? 'delisting' : status;
}

/** The fee of a contract that has its own, for copying into another object. */
export function ownFee({ takerFeePct }: { takerFeePct?: number }): { takerFeePct?: number } {
  return takerFeePct === undefined ? {} : { takerFeePct };
}

/** True while the contract has quotes that can be traded. */
export function isLive({ status }: Contract): boolean {
  return status === 'trading' || status === 'delisting';
}

/** The complete list of one part of a venue (`linear`, `coin-m`, ...). It replaces the previous list of that part. */
export interface ContractList {
  part: string;
  contracts: Contract[];
}

export interface FundingQuote {
  venueSymbol: string;
  /**
   * Percent that will be exchanged at the next settlement, or, where funding accrues continuously, in `intervalHours` at
   * the present rate; positive = longs pay shorts.
   */
  ratePct: number;
  /** Null: the venue gives none, or funding is continuous. Undefined: another of its calls gives it. */
  nextFundingAtMs: number | null | undefined;
  /** Null: the venue gives none. Undefined: another of its calls gives it. */
  intervalHours: number | null | undefined;
  venueTimeMs: number | null;
}

/** An interval or a next settlement without a rate, for venues that give it in a separate call. */
interface FundingSchedule {
  venueSymbol: string;
  intervalHours: number | null | undefined;
  nextFundingAtMs: number | null | undefined;
}

export interface BookTop {
  venueSymbol: string;
  /** Prices are in quote units for one unit of the contract's own base (so 1000PEPE is a thousand PEPE). */
  bidPrice: number;
  /** Sizes are in units of the contract's own base. Null: the venue does not give sizes here. */
  bidSize: number | null;
  askPrice: number;
  askSize: number | null;
  venueTimeMs: number | null;
}

export interface DayVolume {
  venueSymbol: string;
  /** Turnover of the last 24 hours in USDT (stablecoin quotes count as USDT one to one). */
  volume24hUsdt: number;
  /** A last, mark or mid price in quote units, used until the stream delivers a book; null if not given. */
  referencePrice: number | null;
  /** The venue's own figure, one side counted, where the volume is made from it with a price. The audit looks at its digits. */
  volumeCount?: number;
}

/** Prices and open interest of a contract. Null: this reply does not give the figure, and another call may. */
export interface MarketFigures {
  venueSymbol: string;
  /** In quote units for one unit of the contract's own base, like the prices of a book. */
  markPrice: number | null;
  indexPrice: number | null;
  /** The value of all open positions, one side counted (`openInterestUsdt` in units.ts makes it from the venue's unit). */
  openInterestUsdt: number | null;
  /** The same in the venue's own contracts or coins, one side counted. The audit looks at its digits. */
  openInterestCount?: number;
  /** The venue's own flag that the market of the underlying is closed. Left out where the venue has none. */
  isMarketClosed?: boolean;
}

/** One settled payment. Never a sample of the running rate. */
export interface Settlement {
  venueSymbol: string;
  ratePct: number;
  /** As the venue gives it, not rounded. */
  settledAtMs: number;
}

export interface Depth {
  venueSymbol: string;
  /** Best first; [price in quote units, size in units of the contract's own base]. */
  bids: [price: number, size: number][];
  asks: [price: number, size: number][];
  venueTimeMs: number | null;
}

export interface Announcement {
  /** The venue's id of the notice, or its address where it has none. */
  id: string;
  title: string;
  body: string | null;
  /** The venue's own category or tags, joined with commas. */
  category: string;
  url: string | null;
  publishedAtMs: number;
}

/** A row that should have been good and was not. */
export interface Rejection {
  venueSymbol: string | null;
  reason: string;
}

/** Everything read from one reply or message. */
export interface Batch {
  contractList: ContractList | null;
  fundingQuotes: FundingQuote[];
  fundingSchedules: FundingSchedule[];
  bookTops: BookTop[];
  dayVolumes: DayVolume[];
  marketFigures: MarketFigures[];
  settlements: Settlement[];
  depths: Depth[];
  announcements: Announcement[];
  rejected: Rejection[];
  /** Rows that are out of scope (dated futures, spot, quanto), counted by reason. */
  ignored: Map<string, number>;
  /** Read from a live connection: unchanged tops in it are still valid. Bulk replies may repeat old ones. */
  isStreamed?: true;
}

export function emptyBatch(): Batch {
  return {
    contractList: null,
    fundingQuotes: [],
    fundingSchedules: [],
    bookTops: [],
    dayVolumes: [],
    marketFigures: [],
    settlements: [],
    depths: [],
    announcements: [],
    rejected: [],
    ignored: new Map(),
  };
}

/** Whether anything of a contract was read, and not only a confirmation or a heartbeat. */
export function hasRows(batch: Batch): boolean {
  const { fundingQuotes, fundingSchedules, bookTops, dayVolumes, marketFigures, depths } = batch;
  return [fundingQuotes, fundingSchedules, bookTops, dayVolumes, marketFigures, depths].some(
    (rows) => rows.length > 0,
  );
}

/** For a message that refuses one contract, which must not cost the others their connection. */
export function refusalOf(venueSymbol: string | null, reason: string): Batch {
  return { ...emptyBatch(), rejected: [{ venueSymbol, reason }] };
}

export function mergeBatches(batches: readonly Batch[]): Batch {
  const merged = emptyBatch();
  for (const batch of batches) {
    if (batch.contractList) {
      if (merged.contractList && merged.contractList.part !== batch.contractList.part) {
        throw new Error('two parts of a venue are two polls');
      }
      merged.contractList = {
        part: batch.contractList.part,
        contracts: [...(merged.contractList?.contracts ?? []), ...batch.contractList.contracts],
      };
    }
    merged.fundingQuotes.push(...batch.fundingQuotes);
    merged.fundingSchedules.push(...batch.fundingSchedules);
    merged.bookTops.push(...batch.bookTops);
    merged.dayVolumes.push(...batch.dayVolumes);
    merged.marketFigures.push(...batch.marketFigures);
    merged.settlements.push(...batch.settlements);
    merged.depths.push(...batch.depths);
    merged.announcements.push(...batch.announcements);
    merged.rejected.push(...batch.rejected);
    for (const [reason, count] of batch.ignored)
      merged.ignored.set(reason, (merged.ignored.get(reason) ?? 0) + count);
  }
  return merged;
}
