import { MINUTE_MS, SECOND_MS } from '../../../../base/times.ts';
import { msOfMinute } from '../../../../history/samples/model.ts';
import { countdown, signedPercent, signedText, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { priceDecimals, priceText } from '../../markup/prices.ts';
import type { LoadedPair } from './pair-data.ts';

const GAUGE = { left: 10, width: 280, middle: 150 };

/** Both legs by name, and between them the spread now with the marks beyond which a cycle opens. */
export function legsCard(loaded: LoadedPair): Html {
  return html`<div class="legs card" id="legs" data-live>${leg(loaded, 'a')}${gauge(loaded)}${leg(loaded, 'b')}</div>
    ${oldBooks(loaded)}`;
}

/** Says why the prices are not those of an order. */
function oldBooks(loaded: LoadedPair): Html {
  const { live, now, sizeUsd } = loaded;
  const text =
    live && now && !isBookOfNow(loaded)
      ? `The last books for an order of $${sizeUsd} are ${bookAgeText(loaded)}. The best prices of now are shown instead.`
      : '';
  return html`<p class="mut" id="books" data-live>${text}</p>`;
}

interface LegPrices {
  /** What they are the prices of. */
  words: readonly [buy: string, sell: string];
  buy: number | null;
  sell: number | null;
  /** How old they were at the time of the page. */
  age: string;
}

/**
 * The prices of a leg, of the same moment as the spread between the legs: what an order of the size gets, unless its books
 * are older than the quotes; then the quotes.
 */
function pricesOf(loaded: LoadedPair, side: 'a' | 'b'): LegPrices {
  const { live, now, sizeUsd, meta } = loaded;
  if (live && !isBookOfNow(loaded)) {
    const ageMs = Date.parse(meta.as_of) - Date.parse(String(live.row.updated_at));
    return {
      words: ['Best ask', 'Best bid'],
      buy: Number(live.row[`ask_${side}`]),
      sell: Number(live.row[`bid_${side}`]),
      age: `${Math.max(0, Math.round(ageMs / SECOND_MS))}\u00a0s old`,
    };
  }
  const [buy, sell] = side === 'a' ? [now?.buyA, now?.sellA] : [now?.buyB, now?.sellB];
  const words = [`Buy $${sizeUsd} at`, `Sell $${sizeUsd} at`] as const;
  return { words, buy: buy ?? null, sell: sell ?? null, age: bookAgeText(loaded) };
}

/** The books of a minute are read within it, so those of the minute before are of now. */
const MOST_BOOK_AGE_MS = 2 * MINUTE_MS;

function bookAgeMs({ now, meta }: LoadedPair): number | null {
  return now && Date.parse(meta.as_of) - msOfMinute(now.minute);
}

function isBookOfNow(loaded: LoadedPair): boolean {
  const ageMs = bookAgeMs(loaded);
  return ageMs !== null && ageMs < MOST_BOOK_AGE_MS;
}

function bookAgeText(loaded: LoadedPair): string {
  const minutes = Math.floor((bookAgeMs(loaded) ?? 0) / MINUTE_MS);
  return minutes < 1 ? 'under 1\u00a0min old' : `${minutes}\u00a0min old`;
}

function leg(loaded: LoadedPair, side: 'a' | 'b'): Html {
  const { live, row, exchangeA, exchangeB } = loaded;
  const exchange = side === 'a' ? exchangeA : exchangeB;
  const quotes = live ? [Number(live.row[`bid_${side}`]), Number(live.row[`ask_${side}`])] : [];
  const { words, buy, sell, age } = pricesOf(loaded, side);
  const decimals = priceDecimals(quotes.length > 0 ? quotes : [buy ?? 0, sell ?? 0]);
  const symbol = String((live?.row ?? row)?.symbol ?? '');
  const fee = side === 'a' ? live?.feeAPct : live?.feeBPct;
  const [rate, every] = [live?.row[`funding_rate_${side}_pct`], live?.row[`funding_interval_hours_${side}`]];
  const funding =
    typeof rate === 'number' && typeof every === 'number' ? `${signedPercent(rate)} / ${every}\u00a0h` : '–';
  const settles = live ? countdown(live.row[`next_funding_at_${side}`], { interval_hours: every }) : html`–`;
  const figure = (label: string, value: Html | string) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  // With different quotes the common symbol names neither leg.
  const name = symbol.endsWith('-USD') ? null : html`<small>${symbol}</small>`;
  return html`<div>
    <h2>${venueMark(exchange, 18)}${exchange}${name}</h2>
    <dl>
      ${figure(`${words[0]} · ${age}`, priceText(buy, decimals))}
      ${figure(`${words[1]} · ${age}`, priceText(sell, decimals))}
      ${figure('Taker fee', fee === undefined ? '–' : `${fee.toFixed(3)}\u00a0%`)}
      ${figure('Funding', funding)}
      ${figure('Settles in', settles)}
      ${figure('24 h volume', live ? usdt(live.row[`volume_${side}_usdt`]) : '–')}
    </dl>
  </div>`;
}

/** The spread of mid prices: of the quotes, or of the last books where there are none. */
function spreadNow({ live, now }: LoadedPair): number | null {
  if (!live) {
    const { buyA = null, sellA = null, buyB = null, sellB = null } = now ?? {};
    if (buyA === null || sellA === null || buyB === null || sellB === null) return null;
    return ((buyB + sellB) / (buyA + sellA) - 1) * 100;
  }
  const mid = (side: 'a' | 'b') => (Number(live.row[`bid_${side}`]) + Number(live.row[`ask_${side}`])) / 2;
  return ((mid('b') - mid('a')) / mid('a')) * 100;
}

function gauge(loaded: LoadedPair): Html {
  const { exchangeA: a, exchangeB: b, marks } = loaded;
  const spread = spreadNow(loaded);
  if (spread === null) return html`<div class="now"><p>The spread is not known now.</p></div>`;
  const [high, low] = [marks?.long_a_short_b ?? 0, marks?.short_a_long_b ?? 0];
  const reach = Math.max(Math.abs(high), Math.abs(low), Math.abs(spread), 0.05) * 1.4;
  const x = (value: number) => Math.round((GAUGE.middle + (value / reach) * (GAUGE.width / 2)) * 10) / 10;
  const end = GAUGE.left + GAUGE.width;
  const pin = Math.min(end - 1, Math.max(GAUGE.left + 1, x(spread)));
  const zones = marks
    ? html`<rect class="zb" x="${GAUGE.left}" y="9" width="${Math.max(0, x(low) - GAUGE.left)}" height="6" rx="3"/>
      <rect class="za" x="${x(high)}" y="9" width="${Math.max(0, end - x(high))}" height="6" rx="3"/>`
    : null;
  const words = marks
    ? `enter at ${signedText(low, 2)} or ${signedPercent(high, 2)}`
    : 'where a cycle opens is not known yet';
  return html`<div class="now">
    <p>${b} is ${spread < 0 ? 'below' : 'above'} ${a} by</p>
    <p class="big">${signedPercent(spread, 3)}</p>
    <svg viewBox="0 0 300 24" aria-hidden="true">
      <rect class="tr" x="${GAUGE.left}" y="9" width="${GAUGE.width}" height="6" rx="3"/>
      ${zones}
      <path class="pin" d="M${pin} 16l-5 8h10z"/>
      <rect class="pin" x="${pin - 1}" y="5" width="2" height="12"/>
    </svg>
    <p class="gl"><span>long ${b}</span><span>long ${a}</span></p>
    <p>${words}</p>
  </div>`;
}
