import { MINUTE_MS } from '../../../../base/times.ts';
import { toneOf } from '../../markup/direction.ts';
import { shortTime, signedPercent, signedText } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { linkTo } from '../../markup/page-links.ts';
import { heldText } from '../arbitrage/durations.ts';
import type { PageContext } from '../page-context.ts';
import type { LoadedPair, PairCycle } from './pair-data.ts';
import { PAIR_PATH } from './paths.ts';

const CYCLES_SHOWN = 10;
const BAR = { width: 72, height: 12 };
const BIN_STEPS_PCT = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const MOST_BINS = 12;

/** The cycles, newest first, losing ones like the others, and their total. */
export function cyclesCard(loaded: LoadedPair, { sent }: PageContext): Html {
  const { cycles, sizeUsd } = loaded;
  const newest = cycles.toReversed();
  const isAll = sent.get('cycles')?.[0] === 'all';
  const shown = isAll ? newest : newest.slice(0, CYCLES_SHOWN);
  const most = Math.max(...cycles.map(({ profit_pct }) => Math.abs(profit_pct)), 0);
  const totalPct = cycles.reduce((sum, { profit_pct }) => sum + profit_pct, 0);
  const query = new Map(sent).set('cycles', ['all']);
  return html`<section class="card" id="cycles" data-live>
    <header><h2>Cycles</h2><span class="mut">newest first</span></header>
    ${
      shown.length === 0
        ? html`<p class="pad mut">No cycle has closed in the window.</p>`
        : html`<div class="tw" tabindex="0" role="region" aria-label="Cycles">
            <table class="t cyc">
              <thead>
                <tr>
                  <th scope="col">No.</th>
                  <th scope="col">Direction</th>
                  <th scope="col">Opened</th>
                  <th class="num" scope="col">Held</th>
                  <th class="num" scope="col">Spread in<small>mid prices</small></th>
                  <th class="num" scope="col">Spread out<small>mid prices</small></th>
                  <th class="num" scope="col">Fees, books<small>four fills</small></th>
                  <th scope="col" class="cbar"><span class="vh">Bar</span></th>
                  <th class="num" scope="col">Profit</th>
                </tr>
              </thead>
              <tbody>${shown.map((cycle, i) => cycleRow(cycle, cycles.length - i, loaded, most))}</tbody>
            </table>
          </div>
          <p class="cfoot">
            <span>
              ${cycles.length === 1 ? '1 cycle' : `All ${cycles.length} cycles together`}: <b class="${toneOf(totalPct)}">${signedPercent(totalPct, 3)}</b> in
              7 days, $${((totalPct / 100) * sizeUsd).toFixed(2).replace('-', '−')} on $${sizeUsd}
            </span>
            ${isAll || cycles.length <= CYCLES_SHOWN ? null : html`<a href="${linkTo(PAIR_PATH, query)}#cycles">All ${cycles.length} cycles</a>`}
          </p>`
    }
  </section>`;
}

function cycleRow(
  cycle: PairCycle,
  number: number,
  { exchangeA, exchangeB }: LoadedPair,
  most: number,
): Html {
  const isLongA = cycle.direction === 'long_a_short_b';
  const [long, short] = isLongA ? [exchangeA, exchangeB] : [exchangeB, exchangeA];
  const openedMs = Date.parse(cycle.opened_at);
  const minutes = Math.round((Date.parse(cycle.closed_at) - openedMs) / MINUTE_MS);
  const { spread_in_pct: before, spread_out_pct: after, profit_pct: profit } = cycle;
  // What is left of the move of the mid prices after fees and the widths of the books.
  const cost =
    before === null || after === null ? null : profit - (isLongA ? before - after : after - before);
  const figure = (value: number | null, decimals: number) =>
    value === null ? '–' : signedPercent(value, decimals);
  return html`<tr data-key="${cycle.opened_at} ${cycle.direction}">
    <td class="mut">${number}</td>
    <td><span class="dir${isLongA ? ' a' : ' b'}">Long ${long}, short ${short}</span></td>
    <td>${shortTime(cycle.opened_at)}</td>
    <td class="num">${heldText(minutes)}</td>
    <td class="num">${figure(before, 3)}</td>
    <td class="num">${figure(after, 3)}</td>
    <td class="num mut">${figure(cost, 3)}</td>
    <td class="cbar">${profitBar(profit, most)}</td>
    <td class="num"><b class="${toneOf(profit)}">${signedPercent(profit, 3)}</b></td>
  </tr>`;
}

function profitBar(profit: number, most: number): Html {
  const zero = 16;
  const maxWidth = profit < 0 ? zero - 1 : BAR.width - zero - 2;
  const width = most === 0 ? 0 : Math.round((Math.abs(profit) / most) * maxWidth * 10) / 10;
  return html`<svg class="dvg" width="${BAR.width}" height="${BAR.height}" viewBox="0 0 ${BAR.width} ${BAR.height}"
    aria-hidden="true">
    <path class="ax0" d="M${zero}.5 0V${BAR.height}"/>
    <rect class="${profit < 0 ? 'n' : 'p'}" x="${profit < 0 ? zero - width : zero + 1}" y="2" width="${width}"
      height="8" rx="1.5"/>
  </svg>`;
}

interface Bin {
  fromPct: number;
  count: number;
}

/** Profits counted in steps of a round width that puts them into at most twelve bins; zero is an edge. */
export function profitBins(profits: readonly number[]): { stepPct: number; bins: Bin[] } {
  const [low, high] = [Math.min(...profits), Math.max(...profits)];
  const binOf = (value: number, step: number) => Math.floor(value / step + 1e-9);
  const stepPct =
    BIN_STEPS_PCT.find((step) => binOf(high, step) - binOf(low, step) < MOST_BINS) ?? high - low;
  const first = binOf(low, stepPct);
  const bins = Array.from({ length: binOf(high, stepPct) - first + 1 }, (_, i) => ({
    fromPct: Number(((first + i) * stepPct).toFixed(6)),
    count: 0,
  }));
  for (const profit of profits) {
    const bin = bins[binOf(profit, stepPct) - first];
    if (bin) bin.count++;
  }
  return { stepPct, bins };
}

/** How many cycles made how much. */
export function distributionCard({ cycles }: LoadedPair): Html | null {
  if (cycles.length === 0) return null;
  const { stepPct, bins } = profitBins(cycles.map(({ profit_pct }) => profit_pct));
  const most = Math.max(...bins.map(({ count }) => count));
  const slot = 360 / Math.max(8, bins.length);
  const every = Math.max(1, Math.ceil(bins.length / 5));
  const decimals = stepPct < 0.1 ? 2 : 1;
  const counts = bins.map(({ fromPct, count }) => `${signedText(fromPct, decimals)} ${count}`).join(', ');
  return html`<section class="card" id="distribution" data-live>
    <header><h2>Profit per cycle</h2><span class="mut">% of one leg</span></header>
    <div class="pad">
      <svg class="hist" viewBox="-16 -16 392 128" role="img"
        aria-label="Profit per cycle, number of cycles per ${stepPct} % step: ${counts}">
        ${bins.map(({ fromPct, count }, i) => {
          const height = Math.round((count / most) * 760) / 10;
          const left = Math.round(i * slot * 10) / 10;
          const bar =
            count === 0
              ? null
              : html`<rect class="${fromPct < 0 ? 'n' : 'p'}" x="${left + 2}"
                  y="${Math.round((84 - height) * 10) / 10}" width="${Math.round((slot - 4) * 10) / 10}"
                  height="${height}" rx="2"/>
                <text x="${Math.round((left + slot / 2) * 10) / 10}"
                  y="${Math.round((79 - height) * 10) / 10}">
                  ${count}
                </text>`;
          return html`${bar}
            ${i % every === 0 ? html`<text class="ax" x="${left}" y="102">${signedText(fromPct, decimals)}</text>` : null}`;
        })}
        <path d="M0 84.5H360"/>
      </svg>
    </div>
  </section>`;
}
