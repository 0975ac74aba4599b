import { Problem } from '../../../../../base/problems.ts';
import { arbitrage } from '../../../../../operations/arbitrage/arbitrage.ts';
import { answerForPage, type Row } from '../../../layout/visitor.ts';
import { moneyText, percent, signedText } from '../../../markup/format.ts';
import { type Html, html } from '../../../markup/html.ts';
import { venueName } from '../../../markup/icons/marks.ts';
import { type Lasting, lastingSentence } from '../../arbitrage/lasting.ts';
import { carryPairPath } from '../../arbitrage/paths.ts';
import { closedTag } from '../../lists/closed-markets.ts';
import type { PageContext } from '../../page-context.ts';

const SHOWN = 5;

/** The pairs of the coin that pay most, as /arbitrage has them for this reader; none if they cannot be read now. */
export async function loadPairs({ entrance, caller }: PageContext, coin: string): Promise<readonly Row[]> {
  const query = new Map([
    ['coin', [coin]],
    ['sort', ['gross_apr_desc']],
    ['limit', [String(SHOWN)]],
  ]);
  try {
    const { data } = await answerForPage<{ pairs: readonly Row[] }>(entrance, arbitrage, caller, query);
    return data.pairs;
  } catch (problem) {
    if (problem instanceof Problem) return [];
    throw problem;
  }
}

/** The venues that pay a long and a short best, with how long their pair stayed above the fee. */
export interface BestPair extends Lasting {
  best_long_exchange: string | null;
  best_short_exchange: string | null;
}

export function pairsCard(coin: string, pairs: readonly Row[], best: BestPair): Html | null {
  if (pairs.length === 0) return null;
  const lasting = lastingSentence(best);
  const venues = `Long ${best.best_long_exchange}, short ${best.best_short_exchange}. `;
  return html`<section class="card" id="pairs" data-live>
    <header>
      <h2>Pairs of ${coin}</h2>
      <a class="lnk" href="/arbitrage?coin=${encodeURIComponent(coin)}">All pairs</a>
    </header>
    <div class="tw" tabindex="0" role="region" aria-label="Pairs of ${coin}">
      <table class="t keep">
        <thead>
          <tr>
            <th scope="col">Long at</th>
            <th scope="col">Short at</th>
            <th scope="col" class="num" title="(Rate of the short leg − rate of the long leg) per hour × 8,760, before costs">
              APR<small>% gross</small>
            </th>
            <th scope="col" class="num" title="What opening at the best prices gains (+) or costs (−), before fees">
              Price gap<small>% now</small>
            </th>
            <th scope="col" class="num" title="The largest size of each leg that costs no more than the chosen slippage">Size</th>
          </tr>
        </thead>
        <tbody>${pairs.map(pairRow)}</tbody>
      </table>
    </div>
    ${lasting && html`<p class="pad mut">${venues}${lasting}</p>`}
  </section>`;
}

function pairRow(row: Row): Html {
  const [long, short] = [String(row.long_exchange), String(row.short_exchange)];
  const { gross_apr_pct: apr, entry_spread_pct: gap, capacity_usd: size } = row;
  return html`<tr data-key="${long} ${short}">
    <td><a class="vl" href="${carryPairPath(row)}">${venueName(long)}</a></td>
    <td>${venueName(short)}${closedTag(row)}</td>
    <td class="num"><b>${typeof apr === 'number' ? signedText(apr, 1) : percent(null)}</b></td>
    <td class="num">${typeof gap === 'number' ? signedText(gap, 3) : percent(null)}</td>
    <td class="num">${typeof size === 'number' ? moneyText(size) : percent(null)}</td>
  </tr>\n`;
}
