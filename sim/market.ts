import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/base/times.ts';
import type { SimCoin } from './coins.ts';
import type { SimContract } from './contracts.ts';
import { hash, smooth, stepped } from './noise.ts';
import {
  constantIntervalHours,
  intervalHoursAt,
  newestSettlementTimes,
  nextSettlementMs,
  settlementsAround,
} from './settlement-times.ts';
import { lastOpenMs } from './traditional.ts';

/** The simulated market: every figure is a function of contract and time, so the past needs no storage. */
export interface SimQuote {
  markPrice: number;
  indexPrice: number;
  lastPrice: number;
  bidPrice: number;
  askPrice: number;
  /** Sizes in the venue's own contracts (equal to base units where contractSize is 1). */
  bidContracts: number;
  askContracts: number;
  /** The running rate, in hundred-millionths of the position (1 = 0.000001 %), so that it prints exactly. */
  rateE8: number;
  intervalHours: number;
  nextFundingAtMs: number;
  /** The previous settlement and its rate. */
  lastFundingAtMs: number;
  lastRateE8: number;
  volume24hUsd: number;
  /** The price of the coin that the contract is quoted in; 1 for dollar quotes. */
  quoteCoinUsd: number;
  /** All open positions, one side counted, in the venue's own contracts. */
  openInterestContracts: number;
}

export interface SimSettlement {
  settledAtMs: number;
  rateE8: number;
  intervalHours: number;
}

const HALF_SPREAD = [0.00004, 0.00015, 0.0005, 0.0016] as const;
const LEVEL_USD = [60_000, 9_000, 1_100, 110] as const;
const DAY_VOLUME_USD = [900e6, 40e6, 3e6, 250e3] as const;
/** How many times another major these are traded. */
const MOST_TRADED: Readonly<Record<string, number>> = { BTC: 12, ETH: 8, SOL: 3.5, XRP: 2, DOGE: 1.5 };
/** How far a venue's price deviates from the others' in an episode, as a fraction. */
const EXCURSION = [0.0006, 0.002, 0.005, 0.009] as const;
const RATE_WAVE = [0.00012, 0.0003, 0.0006, 0.0011] as const;
/** The prints of CoinEx after its end: -0.375 %. */
const RATE_AFTER_END_E8 = -375_000;
/** Longer than a leg of a spread may be old. */
const QUIET_MS = 4 * MINUTE_MS;
const RATE_BURST = [0.0005, 0.002, 0.012, 0.04] as const;

function coinPriceUsd(coin: SimCoin, atMs: number): number {
  const seed = hash(coin.id, 7);
  const swing = coin.swing ?? 1;
  const slow = smooth(seed, atMs / (9 * DAY_MS)) * 0.22 + smooth(seed ^ 1, atMs / (7 * HOUR_MS)) * 0.03;
  // From minute to minute calm prices change too, by more than a tick.
  const fast = smooth(seed ^ 2, atMs / (11 * MINUTE_MS)) * 0.003;
  return coin.anchorPriceUsd * Math.exp(slow * swing + fast * Math.sqrt(swing));
}

/** One unit of the quote in USDT. */
export function quoteInUsdt(quote: string, atMs: number): number {
  if (quote === 'USDT') return 1;
  return 1 + 0.0004 * smooth(hash(`stable ${quote}`), atMs / DAY_MS);
}

function quoteCoinUsdAt({ quoteCoin }: SimContract, atMs: number): number {
  return quoteCoin ? coinPriceUsd(quoteCoin, atMs) : 1;
}

function quotePriceAt({ quote, quoteCoin }: SimContract, atMs: number): number {
  return quoteCoin ? coinPriceUsd(quoteCoin, atMs) : quoteInUsdt(quote, atMs);
}

/** Deviation from the common price: a small drift, and episodes that build up slowly and end abruptly. */
function basis(contract: SimContract, atMs: number): number {
  const { seed } = contract;
  const tier = contract.coin.tier;
  const episodeMs = (2 + (seed % 7)) * HOUR_MS;
  const position = (atMs + (seed % 86_400) * 1000) / episodeMs;
  const draw = stepped(seed ^ 0x0ba515, position);
  const drift = smooth(seed ^ 0xd21f7, atMs / (5 * HOUR_MS)) * EXCURSION[tier] * 0.12;
  if (draw < 0.35) return drift;
  const part = position - Math.floor(position);
  const shape = part < 0.55 ? part / 0.55 : part < 0.85 ? 1 : part < 0.9 ? (0.9 - part) / 0.05 : 0;
  const sign = Math.floor(draw * 1000) % 2 === 0 ? 1 : -1;
  return drift + sign * shape * EXCURSION[tier] * (0.5 + draw);
}

/** Below this, the product of a price and a power of ten is exact to far less than the margin. */
const MOST_SCALED = 2 ** 32;
const TIE_MARGIN = 1e-5;

/** The same as `Number(value.toFixed(decimals))`, which takes ten times as long; ties are left to it. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const scaled = value * scale;
  const whole = Math.floor(scaled);
  const isClear = scaled >= 0 && scaled < MOST_SCALED && Math.abs(scaled - whole - 0.5) > TIE_MARGIN;
  return isClear ? Math.round(scaled) / scale : Number(value.toFixed(decimals));
}

/** The time of the book's last change: books of quiet contracts stand still for minutes. */
function bookTimeMs(contract: SimContract, atMs: number): number {
  return contract.isQuiet ? Math.floor(atMs / QUIET_MS) * QUIET_MS : atMs;
}

function midPrice(contract: SimContract, atMs: number): number {
  return (
    (coinPriceUsd(contract.coin, atMs) * contract.multiplier * (1 + basis(contract, atMs))) /
    quotePriceAt(contract, atMs)
  );
}

function contractsFor(contract: SimContract, usd: number, price: number, atMs: number): number {
  const quoteUnits = usd / quoteCoinUsdAt(contract, atMs);
  const contracts = contract.isInverse
    ? usd / contract.contractSize
    : quoteUnits / (price * contract.contractSize);
  const smallest = 10 ** -contract.sizeDecimals;
  return Math.max(smallest, roundTo(contracts, contract.sizeDecimals));
}

/** One side of the book: level i is further out and, on average, larger than the one before. */
function level(
  contract: SimContract,
  side: 'bid' | 'ask',
  index: number,
  atMs: number,
  mid: number,
): [number, number] {
  const tier = contract.coin.tier;
  const sign = side === 'bid' ? -1 : 1;
  const tick = 10 ** -contract.priceDecimals;
  const away = Math.max(HALF_SPREAD[tier] * mid * (1 + index * 0.9), tick * (0.6 + index));
  const raw = (mid + sign * away) / tick;
  const price = roundTo((side === 'bid' ? Math.floor(raw) : Math.ceil(raw)) * tick, contract.priceDecimals);
  const draw = stepped(contract.seed ^ (index * 31 + (side === 'bid' ? 3 : 5)), atMs / (20 * 1000));
  const usd = LEVEL_USD[tier] * (0.25 + draw * 1.5) * (1 + index * 0.35);
  return [price, contractsFor(contract, usd, price, atMs)];
}

function rateE8At(contract: SimContract, atMs: number, intervalHours: number): number {
  const tier = contract.coin.tier;
  const wave = smooth(contract.seed ^ 0xf0d, atMs / (13 * HOUR_MS));
  const ripple = smooth(contract.seed ^ 0xf1d, atMs / (40 * MINUTE_MS)) * 0.08;
  const burst = smooth(contract.seed ^ 0xf2d, atMs / (3 * DAY_MS)) ** 7 * RATE_BURST[tier];
  const per8h = 0.0001 + (wave + ripple) * RATE_WAVE[tier] + burst;
  const capped = Math.max(-contract.rateCap, Math.min(contract.rateCap, (per8h * intervalHours) / 8));
  // Adding 0 turns -0 into 0: no venue prints a negative zero.
  return Math.round(capped * 1e8) + 0;
}

/** A coin's contract with the first quote of a venue trades more than its others at any time, as on real venues. */
function volume24hUsdAt(contract: SimContract, atMs: number): number {
  const draw = ((contract.seed >>> 8) % 1000) / 1000;
  const share = contract.isMain ? 0.02 + 0.4 * draw : 0.002 + 0.012 * draw;
  const wave = 1 + 0.1 * smooth(contract.seed ^ 0x701, atMs / (DAY_MS / 2));
  const weight = MOST_TRADED[contract.coin.ticker] ?? 1;
  return Math.round(DAY_VOLUME_USD[contract.coin.tier] * weight * share * wave);
}

/** The index of a share or of goods stands still while their market is closed. */
export function indexPriceAt(contract: SimContract, nowMs: number): number {
  const atMs = lastOpenMs(contract.coin, nowMs);
  const price = (coinPriceUsd(contract.coin, atMs) * contract.multiplier) / quotePriceAt(contract, atMs);
  return roundTo(price, contract.priceDecimals + 1);
}

export function quoteAt(contract: SimContract, atMs: number): SimQuote {
  const mid = midPrice(contract, atMs);
  const bookMs = bookTimeMs(contract, atMs);
  const bookMid = midPrice(contract, bookMs);
  const [bidPrice, bidContracts] = level(contract, 'bid', 0, bookMs, bookMid);
  const [askPrice, askContracts] = level(contract, 'ask', 0, bookMs, bookMid);
  const { lastMs: lastFundingAtMs, nextMs: nextFundingAtMs } = settlementsAround(contract, atMs);
  const intervalHours = intervalHoursAt(contract, atMs);
  const volume24hUsd = volume24hUsdAt(contract, atMs);
  const openDays = 0.6 + 0.4 * smooth(contract.seed ^ 0x702, atMs / DAY_MS);
  return {
    markPrice: roundTo(mid, contract.priceDecimals + 1),
    indexPrice: indexPriceAt(contract, atMs),
    lastPrice: Math.floor(atMs / 3000) % 2 === 0 ? bidPrice : askPrice,
    bidPrice,
    askPrice,
    bidContracts,
    askContracts,
    rateE8: rateE8At(contract, atMs, intervalHours),
    intervalHours,
    nextFundingAtMs,
    lastFundingAtMs,
    lastRateE8: settlementAt(contract, lastFundingAtMs).rateE8,
    volume24hUsd,
    quoteCoinUsd: quoteCoinUsdAt(contract, atMs),
    openInterestContracts: contractsFor(contract, volume24hUsd * openDays, mid, atMs),
  };
}

export function bookAt(
  contract: SimContract,
  atMs: number,
  levels: number,
): { bids: [number, number][]; asks: [number, number][] } {
  const bookMs = bookTimeMs(contract, atMs);
  const mid = midPrice(contract, bookMs);
  // A thin book ends early, so that some sizes cannot be filled.
  const depth =
    contract.coin.tier === 3
      ? 2 + Math.floor(stepped(contract.seed ^ 0xdee9, bookMs / (30 * MINUTE_MS)) * 6)
      : levels;
  const count = Math.min(levels, depth);
  const side = (name: 'bid' | 'ask') =>
    Array.from({ length: count }, (_, i) => level(contract, name, i, bookMs, mid));
  return { bids: side('bid'), asks: side('ask') };
}

function settlementAt(
  contract: SimContract,
  settledAtMs: number,
  intervalHours = intervalHoursAt(contract, settledAtMs - 1),
): SimSettlement {
  const isAfterEnd = settledAtMs > contract.venueEndsAtMs;
  const rateE8 = isAfterEnd ? RATE_AFTER_END_E8 : rateE8At(contract, settledAtMs, intervalHours);
  return { settledAtMs, rateE8, intervalHours };
}

/** All settlements in [fromMs, toMs], oldest first, within the contract's life. */
export function settlementsBetween(contract: SimContract, fromMs: number, toMs: number): SimSettlement[] {
  const settlements: SimSettlement[] = [];
  const endMs = Math.min(toMs, contract.delistsAtMs ?? toMs);
  let atMs = nextSettlementMs(contract, Math.max(fromMs, contract.listedAtMs) - 1);
  // Most contracts keep their interval, and computing it takes longer than all else.
  const hours = constantIntervalHours(contract);
  while (atMs <= endMs) {
    settlements.push(settlementAt(contract, atMs, hours ?? undefined));
    atMs = hours === null ? nextSettlementMs(contract, atMs) : atMs + hours * HOUR_MS;
  }
  return settlements;
}

/** The newest settlements up to `toMs`, newest first, after so many newer ones are skipped. */
export function newestSettlements(
  contract: SimContract,
  toMs: number,
  count: number,
  skipped: number,
): SimSettlement[] {
  return newestSettlementTimes(contract, toMs, count, skipped).map((atMs) => settlementAt(contract, atMs));
}
