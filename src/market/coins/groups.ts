import { median } from '../../base/numbers.ts';
import type { AssetClass } from '../../venues/observations.ts';
import { AGREEING_TOLERANCE, APART_TOLERANCE, areWithin } from './priced-contract.ts';

/** A contract under a ticker, with the price by which it is compared. */
export interface GroupMember {
  key: string;
  exchange: string;
  /** The class that the venue states, or null. */
  stated: AssetClass | null;
  price: number;
  /** The coin that it counts as now. */
  coin: string;
}

/** Contracts under one ticker whose prices belong together. */
export interface PriceGroup {
  members: GroupMember[];
  /** As most venues state it; null where none does. */
  assetClass: AssetClass | null;
  venueCount: number;
}

/**
 * The groups into which the contracts of a ticker fall, that of the usual coin first. Prices are cut where a gap is wider
 * than 5 %, or than 2 % between contracts that are different coins already, and classes where they differ by more than 2 %.
 * A group beside the usual one needs two venues, or another class: one venue with a bad price makes no coin.
 */
export function priceGroups(members: readonly GroupMember[]): PriceGroup[] {
  const groups = usualFirst(runsOf(members).flatMap(byClass).map(groupOf));
  const usual = groups[0];
  return groups.filter(
    (group) => group === usual || group.venueCount >= 2 || areDifferent(group.assetClass, usual?.assetClass),
  );
}

function areDifferent(a: AssetClass | null, b: AssetClass | null = null): boolean {
  return a !== null && b !== null && a !== b;
}

function runsOf(members: readonly GroupMember[]): GroupMember[][] {
  const runs: GroupMember[][] = [];
  let before: GroupMember | undefined;
  for (const member of members.toSorted((a, b) => a.price - b.price)) {
    const tolerance = before?.coin === member.coin ? APART_TOLERANCE : AGREEING_TOLERANCE;
    if (before && areWithin(before.price, member.price, tolerance)) runs.at(-1)?.push(member);
    else runs.push([member]);
    before = member;
  }
  return runs;
}

/** Cuts contracts without a gap between their prices into classes whose medians do not agree. */
function byClass(run: GroupMember[]): GroupMember[][] {
  const classes = new Map<AssetClass, GroupMember[]>();
  for (const member of run)
    if (member.stated !== null) classes.set(member.stated, [...(classes.get(member.stated) ?? []), member]);
  if (classes.size < 2) return [run];
  const parts: { price: number; members: GroupMember[] }[] = [];
  const pricesOf = (of: readonly GroupMember[]) => of.map(({ price }) => price);
  const sorted = [...classes.values()]
    .map((of) => ({ price: median(pricesOf(of)), members: of }))
    .sort((a, b) => a.price - b.price);
  for (const part of sorted) {
    const last = parts.at(-1);
    if (last && areWithin(last.price, part.price, AGREEING_TOLERANCE)) last.members.push(...part.members);
    else parts.push({ ...part, members: [...part.members] });
  }
  for (const member of run) {
    if (member.stated !== null) continue;
    const distance = ({ price }: { price: number }) => Math.abs(Math.log(price / member.price));
    parts.reduce((a, b) => (distance(b) < distance(a) ? b : a)).members.push(member);
  }
  return parts.map(({ members }) => members);
}

function groupOf(members: GroupMember[]): PriceGroup {
  const venueCount = new Set(members.map(({ exchange }) => exchange)).size;
  return { members, assetClass: majorityClass(members), venueCount };
}

export function majorityClass(members: readonly GroupMember[]): AssetClass | null {
  const stated = members.flatMap(({ exchange, stated }) =>
    stated ? [{ exchange, assetClass: stated }] : [],
  );
  return rankedClasses(stated)[0]?.assetClass ?? null;
}

/** The classes of some contracts by the number of venues. Crypto is also the lack of a class, so it loses a tie. */
export function rankedClasses(
  contracts: readonly { exchange: string; assetClass: AssetClass }[],
): { assetClass: AssetClass; weight: number }[] {
  const venuesOf = new Map<AssetClass, Set<string>>();
  for (const { exchange, assetClass } of contracts)
    venuesOf.set(assetClass, (venuesOf.get(assetClass) ?? new Set()).add(exchange));
  return [...venuesOf]
    .map(([assetClass, venues]) => ({
      assetClass,
      weight: venues.size + (assetClass === 'crypto' ? 0 : 0.5),
    }))
    .sort((a, b) => b.weight - a.weight || (a.assetClass < b.assetClass ? -1 : 1));
}

/** A coin has the ticker before anything else, unless so few venues list it that they may have classed a share wrongly. */
const FEWEST_COIN_VENUES = 2;
const LEAST_COIN_SHARE = 1 / 3;

function usualFirst(groups: readonly PriceGroup[]): PriceGroup[] {
  const most = Math.max(...groups.map(({ venueCount }) => venueCount));
  const fewest = Math.max(FEWEST_COIN_VENUES, most * LEAST_COIN_SHARE);
  const isUsual = ({ assetClass, venueCount }: PriceGroup) =>
    Number(assetClass === 'crypto' && venueCount >= fewest);
  const isCoin = ({ assetClass }: PriceGroup) => Number(assetClass === 'crypto');
  return groups.toSorted(
    (a, b) =>
      isUsual(b) - isUsual(a) ||
      b.venueCount - a.venueCount ||
      isCoin(b) - isCoin(a) ||
      (a.members[0]?.price ?? 0) - (b.members[0]?.price ?? 0),
  );
}
