import { within } from '../../../../base/async/within.ts';
import { minuteOf } from '../../../../history/samples/model.ts';
import type { Row } from '../../layout/visitor.ts';
import { percent } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import type { PageContext } from '../page-context.ts';

/** The change of a coin's price within 24 hours at one venue; a text says why it is not known. */
export type PriceChange = { changePct: number; exchange: string } | { reason: string };

const SAMPLE_SIZE_USD = 100;
/** The samples are in another thread or process, which may be busy. The page does not wait longer for one figure. */
const LIMIT_MS = 400;
const UNSAMPLED = 'Known for coins of which prices are sampled at two venues at least';
const TOO_YOUNG = 'No price of 24 hours ago is stored for this coin yet';
const BUSY = 'The stored prices could not be read in time';

/** From the mid prices that are sampled every minute, of the largest linear contract that has a pair in them. */
export async function loadPriceChange(
  { pairChart }: Pick<PageContext, 'pairChart'>,
  coin: string,
  rates: readonly Row[],
  asOf: string,
): Promise<PriceChange> {
  const [exchange, other] = venuesByVolume(rates);
  if (exchange === undefined || other === undefined) return { reason: UNSAMPLED };
  const [exchangeA, exchangeB] = exchange < other ? [exchange, other] : [other, exchange];
  const loading = pairChart({ coin, exchangeA, exchangeB, sizeUsd: SAMPLE_SIZE_USD });
  const view = await within(LIMIT_MS, loading).catch(() => undefined);
  if (view === undefined) return { reason: BUSY };
  if (view === null) return { reason: UNSAMPLED };
  const until = minuteOf(Date.parse(asOf));
  for (const { minute, dayChangeAPct, dayChangeBPct } of view.recent) {
    const changePct = exchange === exchangeA ? dayChangeAPct : dayChangeBPct;
    // A delayed reader must not see newer data.
    if (minute <= until && changePct !== null) return { changePct, exchange };
  }
  return { reason: TOO_YOUNG };
}

function venuesByVolume(rates: readonly Row[]): string[] {
  const linear = rates.filter((row) => row.is_inverse !== true);
  const ordered = linear.toSorted((a, b) => Number(b.volume_24h_usdt) - Number(a.volume_24h_usdt));
  return [...new Set(ordered.map((row) => String(row.exchange)))];
}

/** `+1.24 % 24 h`, beside the price. */
export function priceChangeHtml(change: PriceChange): Html {
  if ('reason' in change) return html`<span class="mut" title="${change.reason}">24 h change unknown</span>`;
  const { changePct, exchange } = change;
  return html`<span title="Mid price on ${exchange}, now and 24 hours before, from our samples of its book">
    ${percent(changePct, 2)} <span class="mut">24 h</span>
  </span>`;
}
