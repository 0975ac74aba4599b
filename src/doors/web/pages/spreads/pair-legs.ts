import { countdown, signedPercent, signedText, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { priceDecimals, priceText } from '../../markup/prices.ts';
import type { LoadedPair } from './pair-data.ts';

const GAUGE = { left: 10, width: 280, middle: 150 };

/** Both legs by name, and between them the spread now with the marks beyond which a cycle opens. */
export function legsCard(loaded: LoadedPair): Html {
  return html`<div class="legs card" id="legs" data-live>${leg(loaded, 'a')}${gauge(loaded)}${leg(loaded, 'b')}</div>`;
}

function leg({ live, now, row, exchangeA, exchangeB, sizeUsd }: LoadedPair, side: 'a' | 'b'): Html {
  const exchange = side === 'a' ? exchangeA : exchangeB;
  const quotes = live ? [Number(live.row[`bid_${side}`]), Number(live.row[`ask_${side}`])] : [];
  const [buy, sell] = side === 'a' ? [now?.buyA, now?.sellA] : [now?.buyB, now?.sellB];
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
      ${figure(`Buy $${sizeUsd} at`, priceText(buy, decimals))}
      ${figure(`Sell $${sizeUsd} at`, priceText(sell, decimals))}
      ${figure('Taker fee', fee === undefined ? '–' : `${fee.toFixed(3)}\u00a0%`)}
      ${figure('Funding', funding)}
      ${figure('Settles in', settles)}
      ${figure('24 h volume', live ? usdt(live.row[`volume_${side}_usdt`]) : '–')}
    </dl>
  </div>`;
}

/** The spread of mid prices: of the spread table, or of the last sample where there is none. */
function spreadNow({ live, spreadsPct }: LoadedPair): number | null {
  if (!live) {
    const last = spreadsPct.at(-1);
    return last === undefined || Number.isNaN(last) ? null : last;
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
