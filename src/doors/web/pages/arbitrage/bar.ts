import { SLIPPAGES_BP } from '../../../../engines/arbitrage/capacity.ts';
import { HOLD_DAYS } from '../../../../engines/arbitrage/figures.ts';
import { SIZE_PARAMETER } from '../../../../engines/depth/size-columns.ts';
import { LEG_CLOSED } from '../../../../market/session.ts';
import { arbitrage } from '../../../../operations/arbitrage/arbitrage.ts';
import { feeGrid, feesIn } from '../../layout/fees/fee-grid.ts';
import { FEES_PATH } from '../../layout/fees/visitor-fees.ts';
import { moneyText } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { CLOSED_PARAMETER } from '../lists/closed-markets.ts';
import { type FilterForm, filterBar, filterChips } from '../lists/filter-bar.ts';
import { filterChoices } from '../lists/filter-choices.ts';
import { pairVenues, VENUE_PARAMETERS } from '../lists/pair-venues.ts';
import { keepSize, sizeBox } from '../lists/size-box.ts';
import { coinsOrPairs } from '../lists/view-switch.ts';
import { openVenues } from '../open-venues.ts';
import type { PageContext } from '../page-context.ts';
import { DEFAULT_SORT } from './default-sort.ts';
import {
  CAPACITY_FILTER,
  effective,
  filterLink,
  openLink,
  PATH,
  shownFilters,
  TIERS,
  type Tier,
  tierOf,
} from './query.ts';

const FORM: FilterForm = {
  path: PATH,
  operation: arbitrage,
  mainParameters: ['coin'],
  ownParameters: [
    ...['hold_days', 'slippage_bp', 'fees', SIZE_PARAMETER, CAPACITY_FILTER, LEG_CLOSED.name],
    ...VENUE_PARAMETERS,
  ],
  viewParameters: ['fees', 'view', CLOSED_PARAMETER],
  noun: 'pairs',
  sorts: [
    [DEFAULT_SORT, 'Likely to earn at least'],
    ['expected_net_desc', 'Expected net APR'],
    ['net_apr_desc', 'Net APR now'],
    ['realised_30d_desc', 'APR of 30 days'],
    ['realised_7d_desc', 'APR of 7 days'],
    ['break_even_asc', 'Break-even, soonest'],
    ['positive_hours_desc', 'Stability'],
    ['capacity_desc', 'Capacity'],
    ['fee_asc', 'Fees, lowest'],
    ['coin_asc', 'Coin'],
  ],
};
const CAPACITIES_USD = [50_000, 0, 10_000, 100_000, 1_000_000];
/** Filters that chips do not show: the bar has a switch for each. */
const SWITCHES = ['hold_days', 'slippage_bp', 'fees', SIZE_PARAMETER];

/** The filter bar: coins, fees, days held, slippage, capacity and the drawer. */
export function arbitrageBar(context: PageContext, total: number | null): Html {
  const sent = effective(context.sent);
  return html`${filterBar(FORM, sent, filterChoices(context), total, {
    start: html`${pairVenues(context)}${sizeBox(context)}${feesSwitch(context)}
      ${radios('Held for', 'Days held', 'hold_days', HOLD_DAYS, 30, 'd', sent)}
      ${radios('Slippage', 'Slippage of the capacity', 'slippage_bp', SLIPPAGES_BP, 5, 'bp', sent)}
      ${capacitySwitch(sent)}`,
    end: html`${keepSize(context, PATH)}${coinsOrPairs(PATH, context.sent)}`,
  })}
    ${tierOf(context) === 'own' ? ownFees(context) : null}`;
}

function feesSwitch(context: PageContext): Html {
  const chosen = tierOf(context);
  const names = (Object.keys(TIERS) as Tier[]).filter(
    (name) => name !== 'account' || Boolean(context.caller.takerFees),
  );
  return html`<label class="lab mainf1">Fees <select name="tier">${names.map(
    (name) =>
      html`<option value="${name}"${name === chosen ? html` selected` : null}>${TIERS[name]}</option>`,
  )}</select></label>`;
}

function radios(
  label: string,
  legend: string,
  name: string,
  values: readonly number[],
  usual: number,
  unit: string,
  sent: PageContext['sent'],
): Html {
  const chosen = sent.get(name)?.[0] ?? String(usual);
  return html`<span class="lab mainf1">
    ${label} <fieldset class="seg">
      <legend class="vh">${legend}</legend>
      ${values.map(
        (value) =>
          html`<label>
            <input type="radio" name="${name}"
              value="${value}"${String(value) === chosen ? html` checked` : null}>
            <span>${value}\u00a0${unit}</span>
          </label>`,
      )}
    </fieldset>
  </span>`;
}

function capacitySwitch(sent: PageContext['sent']): Html {
  const chosen = Number(sent.get(CAPACITY_FILTER)?.[0] ?? 0);
  const steps =
    CAPACITIES_USD.includes(chosen) || Number.isNaN(chosen) ? CAPACITIES_USD : [...CAPACITIES_USD, chosen];
  return html`<label class="lab mainf1">
    Capacity <select name="${CAPACITY_FILTER}">
      ${steps.map(
        (step) =>
          html`<option value="${step}"${step === chosen ? html` selected` : null}>
            ${step === 0 ? 'Any' : `${moneyText(step).replace('.0', '')}+`}
          </option>`,
      )}
    </select>
  </label>`;
}

/** The active filters as chips. */
export function arbitrageChips({ sent }: PageContext): Html[] {
  const filters = new Map(shownFilters(sent));
  for (const name of SWITCHES) filters.delete(name);
  return filterChips(FORM, filters, (name) => filterLink(sent, { [name]: undefined }));
}

/** One field for each venue; what is left empty keeps the usual fee. The address has them as one list. */
function ownFees(context: PageContext): Html {
  const { sent, entrance, caller } = context;
  const typed = feesIn(sent.get('fees')?.[0] ?? caller.takerFees ?? '');
  const hidden = [...sent].filter(([name]) => !['fees', 'tier', 'page', 'open'].includes(name));
  const reset = new Map(sent);
  for (const name of ['fees', 'tier']) reset.delete(name);
  return html`<form class="own card" method="get" action="${PATH}" aria-labelledby="own-title">
    <header>
      <h2 id="own-title">My own fees</h2>
      <small class="mut">taker, in percent; an empty field keeps the usual fee</small>
    </header>
    ${hidden.map(([name, values]) => html`<input type="hidden" name="${name}" value="${values.join(',')}">`)}
    <input type="hidden" name="tier" value="own">
    <input type="hidden" name="back" value="${openLink(reset, null)}">
    ${feeGrid(
      openVenues(entrance).map(({ facts }) => facts),
      typed,
    )}
    <p class="acts">
      <button class="btn pri" type="submit">Use these fees</button>
      <a class="btn" href="${openLink(reset, null)}">Usual fees</a>
      <button class="btn" type="submit" formmethod="post" formaction="${FEES_PATH}">
        Keep them for every page
      </button>
    </p>
  </form>`;
}
