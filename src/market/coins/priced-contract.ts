import type { AssetClass } from '../../venues/observations.ts';

/** The facts from which a contract's identity is decided. */
export interface PricedContract {
  /** Unique over all venues. */
  key: string;
  exchange: string;
  base: string;
  assetClass: AssetClass;
  /** False where the venue's list has no class, so that `crypto` is only what is left. */
  isClassStated?: boolean;
  /** Price of one unit of the contract's own base in USDT, or null while unknown. */
  price: number | null;
}

/** Contracts of one class that differ by more than this share of the median are different coins. */
export const SAME_COIN_TOLERANCE = 0.25;

/** Prices within this share agree, whatever classes the venues state. */
export const AGREEING_TOLERANCE = 0.02;

/** Groups of venues whose prices are further apart than this share are different coins. */
export const APART_TOLERANCE = 0.05;

/** The class that the venue states; null where `crypto` is only the lack of one. */
export function statedClass({ assetClass, isClassStated }: PricedContract): AssetClass | null {
  return assetClass === 'crypto' && isClassStated === false ? null : assetClass;
}

/** Whether two prices differ by at most this share of the lower one. */
export function areWithin(a: number, b: number, tolerance: number): boolean {
  return Math.max(a, b) <= Math.min(a, b) * (1 + tolerance);
}
