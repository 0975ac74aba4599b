import { DAY_MS } from '../../base/times.ts';
import { NEWLY_LISTED_MS, type SightedContract, type Sighting } from '../../history/listings/model.ts';
import { isOpen, type KnownContract, symbolOf } from '../../history/listings/parts.ts';
import type { Announcement } from '../../venues/observations.ts';
import type { NoticeEvent } from './notices/read.ts';

/** The quote of nearly all of a venue's contracts, assumed where a notice names only the coin. */
const USUAL_QUOTE: Readonly<Record<string, string>> = {
  Aster: 'USDT',
  Binance: 'USDT',
  Bitget: 'USDT',
  Bybit: 'USDT',
  Deribit: 'USDC',
  Gate: 'USDT',
  KuCoin: 'USDT',
  Lighter: 'USDC',
  MEXC: 'USDT',
  OKX: 'USDT',
  Paradex: 'USD',
};

/** A contract that had traded for this long before a notice is not the one that the notice lists. */
const ALREADY_TRADES_MS = 7 * DAY_MS;
const FURTHEST_AHEAD_MS = 365 * DAY_MS;

interface NoticeContext {
  exchange: string;
  notice: Announcement;
  seenAtMs: number;
  /** Every contract that the venue's lists have included; null before the first list. */
  contracts: readonly KnownContract[] | null;
  /** Whether the calendar already has the contract. */
  knows(symbol: string): boolean;
}

/** The sighting; `old` if the event is too long ago; or the reason why it is doubtful. */
export function sightingOfEvent(
  event: NoticeEvent,
  context: NoticeContext,
): Sighting | 'old' | { doubt: string } {
  const { exchange, notice, seenAtMs, contracts } = context;
  const named = contractOf(event, exchange, contracts ?? []);
  if (!named) return { doubt: `${event.base}: the quote is not stated` };
  const { contract, known } = named;
  const { symbol } = contract;
  const timeMs = event.effectiveAtMs ?? notice.publishedAtMs;
  if (Math.abs(timeMs - notice.publishedAtMs) > FURTHEST_AHEAD_MS)
    return { doubt: `${symbol}: its time is more than a year from the notice's publication` };
  if (seenAtMs - timeMs > NEWLY_LISTED_MS) return 'old';
  const isTrading = known !== undefined && isOpen(known.status) && !known.isGone;
  if (event.kind === 'delisting' && contracts && !known && !context.knows(symbol))
    return { doubt: `${symbol}: not in the venue's list` };
  const { publishedAtMs } = notice;
  // Listed again since: the notice is about the previous listing.
  const isOfPreviousListing = event.kind === 'delisting' && (known?.listedAtMs ?? 0) > publishedAtMs;
  if (isOfPreviousListing && event.effectiveAtMs === null) return 'old';
  const isLongListed = isTrading && (known.listedAtMs ?? publishedAtMs) < publishedAtMs - ALREADY_TRADES_MS;
  if (event.kind === 'listing' && !event.isCancelled && isLongListed)
    return { doubt: `${symbol}: traded for more than a week before the notice` };
  const isInLists = event.kind === 'listing' ? isTrading : known?.isGone === true;
  // A stated time takes effect by the clock, and a later notice may still move it.
  const isDone = event.hasHappened || (isInLists && event.effectiveAtMs === null);
  return {
    contract,
    kind: event.kind,
    source: 'announcement',
    phase: event.isCancelled ? 'cancelled' : isDone && timeMs <= seenAtMs ? 'done' : 'scheduled',
    effectiveAtMs: event.effectiveAtMs,
    isDateWithdrawn: event.isDateWithdrawn,
    observedAtMs: null,
    goneBeforeMs: null,
    announcementUrl: notice.url !== null && /^https?:\/\//.test(notice.url) ? notice.url : null,
    statedAtMs: publishedAtMs,
    seenAtMs,
  };
}

function contractOf(
  event: NoticeEvent,
  exchange: string,
  contracts: readonly KnownContract[],
): { contract: SightedContract; known: KnownContract | undefined } | null {
  const quote = event.quote ?? USUAL_QUOTE[exchange] ?? null;
  const spelled = (event.base + (quote ?? '')).toUpperCase();
  const same = contracts.filter(
    (known) =>
      (known.base.toUpperCase() === event.base.toUpperCase() && known.quote === quote) ||
      compact(known.venueSymbol) === spelled,
  );
  // A linear and an inverse contract may share a symbol; the notice does not say which one it means.
  const known = same.find((one) => !one.isGone) ?? same[0];
  if (known) {
    const venueSymbol = same.length === 1 ? known.venueSymbol : null;
    return { contract: { exchange, venueSymbol, symbol: symbolOf(known), base: known.base }, known };
  }
  if (quote === null) return null;
  const symbol = `${event.base}-${quote}`;
  return { contract: { exchange, venueSymbol: null, symbol, base: event.base }, known: undefined };
}

function compact(venueSymbol: string): string {
  return venueSymbol.replace(/[-_/]|SWAP$|PERP(?:ETUAL)?$/g, '').toUpperCase();
}
