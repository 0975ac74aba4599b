import { HOUR_MS, SECOND_MS } from '../src/base/times.ts';
import type { SimContract } from './contracts.ts';
import type { SimQuote } from './market.ts';
import type { VenueProfile } from './venue-profile.ts';
import type { SimView } from './view.ts';

/** A venue encoder: it encodes a view of the market in the venue's wire format. */
export interface SimVenue {
  profile: VenueProfile;
  /** The JSON payload of a request, or undefined when the venue has no such endpoint (404). */
  http(request: SimRequest, view: SimView): unknown;
  /** Opens a WebSocket session; absent where the venue's streams are not used. */
  socket?(request: { host: string; path: string }): SimSocket;
  /** The quote as the venue publishes it, where it differs from the simulated one. */
  publishes?(contract: SimContract, quote: SimQuote, view: SimView): Partial<PublishedFunding>;
  /** True while the venue's row still names the settlement that has passed, so that no quote may be read from it. */
  showsPassedSettlement?(contract: SimContract, view: SimView): boolean;
  /** The settled prints as the venue publishes them, where they are not one per settlement. */
  settledPrints?(
    contract: SimContract,
    view: SimView,
    fromMs: number,
    toMs: number,
  ): { settledAtMs: number; ratePct: number }[];
  /** The body of a 403 for a request without the headers that the venue requires; null for a good one. */
  refuses?(host: string, headers: Readonly<Record<string, string | string[] | undefined>>): object | null;
  /** How many levels of a book the venue gives, where that is less than two. */
  bookLevels?: number;
  /** False when the venue's bulk book tops come without sizes. */
  givesSizes?: boolean;
  /** False when the venue's list has no classes, so that a share may be read as a coin. */
  givesClasses?: boolean;
}

interface PublishedFunding {
  ratePct: number;
  intervalHours: number | null;
  nextFundingAtMs: number | null;
  /** When the venue computed the row; not compared if not given. */
  venueTimeMs: number;
  /** Where the venue has no mark price of its own. */
  markPrice: number;
  /** Where the venue says something else than is open. */
  openInterestContracts: number;
}

export interface SimRequest {
  /** The host name of the venue's `hosts` table: `rest`, `coin-m`, ... */
  host: string;
  method: string;
  path: string;
  query: URLSearchParams;
  /** Parsed JSON body of a POST, else undefined. */
  body: unknown;
}

export interface SimSocket {
  /** Handles a client's message and returns the replies. */
  receive(message: unknown, view: SimView): string[];
  /** What to push now; called about once a second. */
  tick(view: SimView): string[];
}

/** A price with the decimals of the contract. */
export function priceText({ priceDecimals }: SimContract, price: number): string {
  return price.toFixed(priceDecimals);
}

/** A number of contracts with the decimals of the contract. */
export function sizeText({ sizeDecimals }: SimContract, contracts: number): string {
  return contracts.toFixed(sizeDecimals);
}

/** One side of a book as lists of texts: [price, size]. */
export function levelTexts(contract: SimContract, levels: readonly [number, number][]): [string, string][] {
  return levels.map(([price, size]) => [priceText(contract, price), sizeText(contract, size)]);
}

/** A rate in hundred-millionths as the decimal string that venues print: 10000 -> "0.00010000". */
export function rateText(rateE8: number): string {
  const sign = rateE8 < 0 ? '-' : '';
  const digits = String(Math.abs(rateE8)).padStart(9, '0');
  return `${sign}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

/** For sockets that send only changes: true if the text of this name is another one than the last time. */
export function changeFilter(): (name: string, text: string) => boolean {
  const sent = new Map<string, string>();
  return (name, text) => {
    if (sent.get(name) === text) return false;
    sent.set(name, text);
    return true;
  };
}

/** The rate at a venue that goes on showing the charged one, beside the next settlement's time, after a settlement. */
export function rateWithChargedE8(contract: SimContract, view: SimView, chargedSeconds: number): number {
  const chargedMs = chargedSeconds * SECOND_MS;
  // Every settlement is on a full hour.
  const isJustSettled =
    view.nowMs % HOUR_MS < chargedMs &&
    view.settlements(contract, view.nowMs - chargedMs, view.nowMs).length > 0;
  const quote = view.quote(contract);
  return isJustSettled ? quote.lastRateE8 : quote.rateE8;
}
