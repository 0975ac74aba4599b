import { MAX_EVERY_MINUTES, MAX_NAME_LENGTH } from '../../../../../alerts/rule.ts';
import { type Html, html } from '../../../markup/html.ts';
import { choicesOf } from '../../../pages/lists/filter-fields.ts';
import { labelOf, rangeOf, valueLabel } from '../../../pages/lists/labels.ts';
import { choice, faultBanner, field, hidden } from '../../../sign-in/form-parts.ts';
import { EDIT_RULE_PATH, NEW_RULE_PATH } from '../paths.ts';
import { faulty, reasonOf } from '../refusals.ts';
import { type Only, SUBJECTS, type Subject } from '../subjects.ts';
import { channelChoice } from './channel-choice.ts';
import { optionsOf, type RuleFormOptions } from './form-options.ts';
import { previewPart } from './preview-part.ts';
import { sentenceFields } from './sentence-fields.ts';
import { FILTER_PREFIX, filtersOf, type TypedRule } from './typed-rule.ts';

/** One alert as a sentence, with what it would do now. */
export function ruleForm(options: RuleFormOptions): Html {
  const { csrf, typed, subject, refusal, preview } = options;
  const isNew = typed.ruleId === null;
  return html`${isNew ? subjectTabs(subject) : null}
    <form class="alert-form" method="post" action="${isNew ? NEW_RULE_PATH : EDIT_RULE_PATH}" data-alert>
      ${hidden('csrf', csrf)}
      ${typed.ruleId === null ? null : hidden('rule', typed.ruleId)}
      ${hidden('operation', typed.operation)}
      ${typed.telegramSinceMs === null ? null : hidden('telegram_since', String(typed.telegramSinceMs))}
      ${refusal === null ? null : faultBanner(reasonOf(refusal.problem))}
      <section class="card">
        ${sentenceFields(options)}
        ${channelChoice(options)}
        ${details(options)}
      </section>
      ${previewPart(subject, preview)}
      <p class="acts">
        <button class="btn pri" type="submit">${isNew ? 'Create the alert' : 'Save the alert'}</button>
      </p>
    </form>`;
}

function subjectTabs(subject: Subject): Html {
  return html`<nav class="seg alert-tabs" aria-label="What the alert is about">
    ${SUBJECTS.map(
      ({ list, title }) =>
        html`<a href="${NEW_RULE_PATH}?operation=${list}"${list === subject.list ? html` aria-current="true"` : null}>
          ${title}
        </a>`,
    )}
  </nav>`;
}

/** Further conditions, the reset distance, the pace and the name. */
function details(options: RuleFormOptions): Html {
  const { typed, subject, refusal, leastEveryMinutes } = options;
  const isFilled = subject.only.some(({ filter }) => typed.filters.has(filter)) || others(options).length > 0;
  const isFaulty = refusal !== null && !['bound', 'endpointIds'].includes(refusal.field ?? '');
  return html`<details class="alert-more"${isFilled || isFaulty ? html` open` : null}>
    <summary>Only if, how often, name</summary>
    <div class="form">
      ${subject.only.map((only) => onlyField(only, options))}
      ${others(options)}
      ${subject.figures.length === 0 ? null : resetFields(options)}
      ${field(
        {
          label: 'Pause between alerts for the same row, minutes',
          hint: leastEveryMinutes === 0 ? '0: none' : `At least ${leastEveryMinutes} on your plan`,
        },
        html`<input type="text" name="every_minutes" value="${typed.everyMinutes}" inputmode="numeric" required
            size="6" max="${MAX_EVERY_MINUTES}"${faulty(refusal, 'everyMinutes')}>`,
      )}
      ${field(
        { label: 'Name', hint: 'Empty: the sentence' },
        html`<input type="text" name="name" value="${typed.name}" maxlength="${MAX_NAME_LENGTH}"
            autocomplete="off"${faulty(refusal, 'name')}>`,
      )}
    </div>
  </details>`;
}

function resetFields({ typed, refusal }: RuleFormOptions): Html {
  return html`${field(
    {
      label: 'Reset distance',
      hint: 'Alert again only after it has fallen this far below the value (or risen above it)',
    },
    html`<input type="text" name="hysteresis" value="${typed.hysteresis}" inputmode="decimal" autocomplete="off"
        placeholder="0" size="10"${faulty(refusal, 'hysteresis')}>`,
  )}
    <div class="f-check">
      ${choice(
        html`<input type="checkbox" name="reports_return"
            value="yes"${typed.reportsReturn ? html` checked` : null}>`,
        'Also tell me when it is back',
      )}
    </div>`;
}

function onlyField(
  { filter, label, unit, choices }: Only,
  { typed, refusal, hasOwnFees }: Pick<RuleFormOptions, 'typed' | 'refusal' | 'hasOwnFees'>,
): Html | null {
  const value = typed.filters.get(filter) ?? '';
  if (filter === 'fees' && value === '' && !hasOwnFees) return null;
  const name = `${FILTER_PREFIX}${filter}`;
  // A value that the choices do not have, such as fees of a link, stays as it is.
  if (choices && (value === '' || choices.some(([one]) => one === value)))
    return field(
      { label },
      html`<select name="${name}"${faulty(refusal, filter)}>${optionsOf(choices, value)}</select>`,
    );
  return field(
    { label: unit === undefined ? label : `${label}, ${unit}` },
    html`<input type="text" name="${name}" value="${value}" autocomplete="off"
        spellcheck="false"${faulty(refusal, filter)}>`,
  );
}

/** Filters that the page of the list had and for which the form has no field of its own. */
function others(options: RuleFormOptions): (Html | null)[] {
  const { typed, subject, operation } = options;
  const own = new Set([...subject.only.map(({ filter }) => filter), ...inSentence(typed, subject)]);
  return filtersOf(operation)
    .filter(({ name }) => typed.filters.has(name) && !own.has(name))
    .map((parameter) => {
      const { name, description } = parameter;
      const end = rangeOf(name)?.end;
      const label = `${labelOf(name, description)}${end === undefined ? '' : end === 'min' ? ', at least' : ', at most'}`;
      const choices = choicesOf(parameter)?.map((one) => [one, valueLabel(name, one)] as const);
      const only = {
        filter: name,
        label,
        ...(choices ? { choices: [['', 'any'] as const, ...choices] } : {}),
      };
      return onlyField(only, options);
    });
}

function inSentence({ filters }: TypedRule, { venues, list }: Subject): string[] {
  const isPair = venues === 'pair' && (filters.get('exchange')?.split(',').length ?? 0) <= 2;
  const isAll = filters.get('exchange_match') !== 'any';
  return [
    'coin',
    'exchange',
    ...(isPair && isAll ? ['exchange_match'] : []),
    ...(list === 'listings' ? ['type'] : []),
  ];
}
