import { toneOf } from '../../markup/direction.ts';
import { type BarRange, barRange, divergingBar } from '../../markup/diverging-bar.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueName } from '../../markup/icons/marks.ts';
import { sessionTag } from '../lists/closed-markets.ts';
import type { PageContext } from '../page-context.ts';
import type { Outcome, Position } from './calculator.ts';
import type { FeeChoice } from './fees.ts';

const SHOWN = 6;
const BAR_WIDTH = 240;
const FIELDS = new Set(['side', 'size', 'held', 'fees']);

interface CalculatorOptions {
  path: string;
  sent: PageContext['sent'];
  fees: FeeChoice;
  hasOwnFees: boolean;
  isSignedIn: boolean;
}

/** What a position earns or pays. A GET form; with scripts the answers follow while the reader types. */
export function calculatorCard(
  position: Position,
  results: readonly Outcome[],
  options: CalculatorOptions,
): Html {
  const { path, sent } = options;
  const { side, typed, errors } = position;
  const hidden = [...sent].filter(([name]) => !FIELDS.has(name));
  const radio = (value: Position['side'], words: string) =>
    html`<label>
      <input type="radio" name="side" value="${value}"${value === side ? html` checked` : null}>
      <span>${words}</span>
    </label>`;
  const field = (name: 'size' | 'held', words: string) =>
    html`<label>
      ${words}
      <input name="${name}" value="${withCommas(typed[name])}" inputmode="decimal" autocomplete="off"
        maxlength="20"${errors[name] === undefined ? null : html` aria-invalid="true" aria-describedby="calc-errors"`}>
    </label>`;
  return html`<section class="card" id="calculator">
    <header>
      <h2>What a position earns or pays</h2>
      <span class="mut">at today’s rates, after fees</span>
    </header>
    <form class="pad" method="get" action="${path}#calculator" data-instant>
      ${hidden.map(([name, values]) => html`<input type="hidden" name="${name}" value="${values.join(',')}">`)}
      <div class="calc">
        <fieldset class="seg">
          <legend class="vh">Side</legend>
          ${radio('long', 'Long')}
          ${radio('short', 'Short')}
        </fieldset>
        ${field('size', 'Size, USD')}
        ${field('held', 'Days held')}
        <label>Fees${feeSelect(options)}</label>
        <button class="btn apply" type="submit">Work it out</button>
      </div>
    </form>
    <div class="pad res-w" id="calc-results" data-live>
      ${Object.keys(errors).length > 0 ? errorsHtml(errors) : resultsHtml(results)}
      ${ownFeesLine(options)}
    </div>
  </section>`;
}

function feeSelect({ fees, hasOwnFees }: CalculatorOptions): Html {
  const option = (value: FeeChoice, words: string) =>
    html`<option value="${value}"${value === fees ? html` selected` : null}>${words}</option>`;
  return html`<select name="fees">
    ${option('usual', 'Taker, base tier')}
    ${hasOwnFees ? option('own', 'My own fees') : null}
    ${option('none', 'None')}
  </select>`;
}

/** A visitor's fees stay in the browser; the form of all venues is on the page of arbitrage. */
function ownFeesLine({ hasOwnFees, isSignedIn }: CalculatorOptions): Html {
  return html`<p class="hint">
    <a class="lnk" href="${isSignedIn ? '/account/fees' : '/arbitrage?tier=own'}">
      ${hasOwnFees ? 'Change your fees' : 'Use your own fees'}
    </a>
  </p>`;
}

function errorsHtml(errors: Position['errors']): Html {
  return html`<p class="neg" id="calc-errors" role="alert">${Object.values(errors).join(' ')}</p>`;
}

function resultsHtml(results: readonly Outcome[]): Html {
  if (results.length === 0)
    return html`<p class="mut">No venue with a known interval has a linear contract.</p>`;
  const range = barRange(results.map(({ usd }) => usd));
  const rest = results.slice(SHOWN);
  const list = (some: readonly Outcome[]) =>
    html`<ul class="res">${some.map((one) => outcomeHtml(one, range))}</ul>`;
  return html`${list(results.slice(0, SHOWN))}${
    rest.length === 0
      ? null
      : html`<details class="rest"><summary>${rest.length} more, down to the worst</summary>${list(rest)}</details>`
  }`;
}

function outcomeHtml(outcome: Outcome, range: BarRange): Html {
  const { exchange, symbol, usd, isLate, session } = outcome;
  return html`<li data-key="${exchange}">
    <span title="${symbol}">${venueName(exchange)}${sessionTag({ session })}</span>
    ${divergingBar(usd, range, BAR_WIDTH)}
    <b class="${isLate ? 'mut' : toneOf(usd)}">${outcomeText(usd)}${isLate ? ', late' : ''}</b>
  </li>`;
}

/** `earns $96.00` or `pays $28.90`. */
export function outcomeText(usd: number): string {
  const text = grouped(Math.abs(usd), 2);
  if (text === '0.00') return 'earns nothing';
  return `${usd < 0 ? 'pays' : 'earns'} $${text}`;
}

function withCommas(text: string): string {
  return /^\d+$/.test(text) ? grouped(Number(text)) : text;
}
