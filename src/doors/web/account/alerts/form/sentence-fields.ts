import { type Html, html } from '../../../markup/html.ts';
import { faulty } from '../refusals.ts';
import { figureOf, LISTING_KINDS } from '../subjects.ts';
import { optionsOf, type RuleFormOptions } from './form-options.ts';
import { FILTER_PREFIX } from './typed-rule.ts';

const COINS_LIST = 'alert-coins';
const UNITS = ['%', '$', 'h'] as const;
const UNIT_CLASSES: Readonly<Record<string, string>> = { '%': 'u-pct', $: 'u-usd', h: 'u-h', '': 'u-none' };

/** "Tell me when [BTC] [net spread] [Binance] ↔ [Bybit] goes [above] [0.30] %". Styles show what fits the kind of alert. */
export function sentenceFields(options: RuleFormOptions): Html {
  const { subject, coins } = options;
  return html`${subject.figures.length === 0 ? kindHidden(options) : kinds(options)}
    <div class="sentence">
      <span>Tell me when</span>
      ${subject.list === 'listings' ? listingFields(options) : rowFields(options)}
    </div>
    <datalist id="${COINS_LIST}">${coins.map((coin) => html`<option value="${coin}">`)}</datalist>`;
}

function kinds({ typed, subject, refusal }: RuleFormOptions): Html {
  const words = [
    ['crosses', 'A number goes above or below a value'],
    ['enters', `A ${subject.noun} starts to match`],
    ['leaves', `A ${subject.noun} stops matching`],
  ];
  return html`<fieldset class="seg alert-kinds">
    <legend class="vh">When</legend>
    ${words.map(
      ([kind, label]) =>
        html`<label>
          <input type="radio" name="kind" value="${kind}"
            required${kind === typed.kind ? html` checked` : null}${faulty(refusal, 'condition')}>
          <span>${label}</span>
        </label>`,
    )}
  </fieldset>`;
}

function kindHidden({ typed }: RuleFormOptions): Html {
  return html`<input type="hidden" name="kind" value="${typed.kind}">`;
}

function listingFields(options: RuleFormOptions): Html {
  const { typed } = options;
  return html`${select(options, `${FILTER_PREFIX}type`, 'What', LISTING_KINDS, typed.filters.get('type') ?? '')}
    <span>of</span>
    ${coinField(options)}
    <span>on</span>
    ${venueFields(options)}
    <span>${typed.kind === 'leaves' ? 'is no longer in the calendar' : 'is found'}</span>`;
}

function rowFields(options: RuleFormOptions): Html {
  const { subject } = options;
  return html`<span class="if-rows">a</span>
    ${coinField(options)}
    ${figureField(options)}
    <span class="if-rows">${subject.noun}</span>
    ${subject.venues === 'pair' ? null : html`<span>on</span>`}
    ${venueFields(options)}
    ${boundFields(options)}
    <span class="if-enters">starts to match the conditions below</span>
    <span class="if-leaves">stops matching the conditions below</span>`;
}

function coinField({ typed, refusal }: RuleFormOptions): Html {
  return html`<input type="text" class="w-coin" name="${FILTER_PREFIX}coin" value="${typed.filters.get('coin') ?? ''}"
    list="${COINS_LIST}" placeholder="any coin" aria-label="Coin" autocomplete="off" autocapitalize="characters"
    spellcheck="false"${faulty(refusal, 'coin')}>`;
}

function figureField({ typed, subject, refusal }: RuleFormOptions): Html {
  const known = subject.figures.some(({ name }) => name === typed.figure);
  const figures =
    known || typed.figure === '' ? subject.figures : [figureOf(subject, typed.figure), ...subject.figures];
  return html`<select class="if-crosses" name="figure" aria-label="Number"${faulty(refusal, 'figure')}>
    ${figures.map(
      ({ name, words, unit }) =>
        html`<option class="${UNIT_CLASSES[unit]}"
          value="${name}"${name === typed.figure ? html` selected` : null}>${words}</option>`,
    )}
  </select>`;
}

/** The venue, or both of a pair; as a text if the filter has more of them. */
function venueFields(options: RuleFormOptions): Html {
  const { typed, subject, venues, refusal } = options;
  const chosen = typed.filters.get('exchange')?.split(',') ?? [];
  const [first = '', second = ''] = chosen;
  const isEither = typed.filters.get('exchange_match') === 'any' && chosen.length > 1;
  if (chosen.length > (subject.venues === 'pair' ? 2 : 1) || isEither)
    return html`<input type="text" name="${FILTER_PREFIX}exchange" value="${chosen.join(', ')}" aria-label="Venues"
      autocomplete="off" spellcheck="false"${faulty(refusal, 'exchange')}>`;
  const names = (value: string) => [
    ['', 'any venue'] as const,
    ...[...new Set([...venues, ...(value === '' ? [] : [value])])].map((name) => [name, name] as const),
  ];
  if (subject.venues === 'one')
    return select(options, `${FILTER_PREFIX}exchange`, 'Venue', names(first), first, 'exchange');
  return html`${select(options, 'venue_a', 'First venue', names(first), first, 'exchange')}
    <span>↔</span>
    ${select(options, 'venue_b', 'Second venue', names(second), second, 'exchange')}`;
}

function boundFields(options: RuleFormOptions): Html {
  const { typed, refusal } = options;
  const directions = [
    ['above', 'above'],
    ['below', 'below'],
  ] as const;
  return html`<span class="if-crosses bound">
    <span>goes</span>
    ${select(options, 'direction', 'Direction', directions, typed.direction)}
    <span class="unit u-usd">$</span>
    <input type="text" class="w-bound" name="bound" value="${typed.bound}" inputmode="decimal" aria-label="Value"
      autocomplete="off"${faulty(refusal, 'bound')}>
    ${UNITS.filter((unit) => unit !== '$').map((unit) => html`<span class="unit ${UNIT_CLASSES[unit]}">${unit}</span>`)}
  </span>`;
}

function select(
  { refusal }: Pick<RuleFormOptions, 'refusal'>,
  name: string,
  label: string,
  choices: readonly (readonly [string, string])[],
  chosen: string,
  field = name,
): Html {
  return html`<select name="${name}" aria-label="${label}"${faulty(refusal, field)}>${optionsOf(choices, chosen)}</select>`;
}
