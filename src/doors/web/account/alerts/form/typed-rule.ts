import type { ChannelKind } from '../../../../../alerts/channels/channel.ts';
import {
  type Condition,
  DEFAULT_EVERY_MINUTES,
  parseCondition,
  parseRuleInput,
  type Rule,
  type RuleInput,
} from '../../../../../alerts/rule.ts';
import type { StreamedOperation } from '../../../../../operations/operation.ts';
import { ACCOUNT_FEES } from '../../../../../operations/taker-fees.ts';
import type { Parameter } from '../../../../../query/parameter.ts';
import { plainNumber } from '../../../markup/plain-number.ts';
import { typedChannel } from '../channel-forms.ts';
import { NEW_RULE_PATH } from '../paths.ts';
import { nameOf } from '../sentence.ts';
import type { Subject } from '../subjects.ts';

/** A list that can have alerts, and what they are about. */
export interface AlertList {
  operation: StreamedOperation;
  subject: Subject;
}

/** The fields of the form as typed, to show them again when the form is refused. */
export interface TypedRule {
  /** Null: a new rule. */
  ruleId: string | null;
  operation: string;
  name: string;
  /** By name of the parameter. */
  filters: ReadonlyMap<string, string>;
  kind: string;
  figure: string;
  direction: string;
  bound: string;
  hysteresis: string;
  reportsReturn: boolean;
  everyMinutes: string;
  endpoints: readonly string[];
  /** What was typed for channels that do not exist yet, by kind. */
  channels: ReadonlyMap<ChannelKind, Readonly<Record<string, string>>>;
  /** Since when a Telegram chat is being linked; chats that are linked later are ticked. Null: none is. */
  telegramSinceMs: number | null;
}

/** The form's fields of filters begin with this, because some filters have the names of other fields. */
export const FILTER_PREFIX = 'filter.';
/** The boxes of channels that saving the alert adds; the kind follows. */
export const NEW_CHANNEL = 'new-';
/** The kinds whose fields are in the form. */
export const TYPED_KINDS = ['webhook', 'discord', 'slack', 'ntfy'] as const satisfies readonly ChannelKind[];
/** They choose what a page of the list shows, and say nothing about which rows an alert is for. */
const NOT_FILTERS = new Set(['cursor', 'fields', 'limit', 'sort', 'format']);
const PAIR = 2;

export function filtersOf(operation: StreamedOperation): readonly Parameter[] {
  return Object.values(operation.parameters).filter(
    (parameter) => parameter.in === 'query' && !NOT_FILTERS.has(parameter.name),
  );
}

/** A new rule from the filters of a page: /account/alerts/new?operation=funding&coin=BTC. */
export function ruleFromLink(
  query: URLSearchParams,
  { operation, subject }: AlertList,
  hasOwnFees: boolean,
): TypedRule {
  const filters = filtersIn(query, operation);
  if (hasOwnFees && operation.parameters.fees !== undefined && !filters.has('fees'))
    filters.set('fees', ACCOUNT_FEES);
  // Two venues mean the pair, unless the page was about either.
  const venues = filters.get('exchange')?.split(',') ?? [];
  if (subject.venues === 'pair' && venues.length === PAIR && !filters.has('exchange_match'))
    filters.set('exchange_match', 'all');
  const bounded = takeBound(filters, subject);
  const [usual] = subject.figures;
  return {
    ruleId: null,
    operation: operation.path.slice(1),
    name: '',
    filters,
    kind: usual ? 'crosses' : 'enters',
    figure: usual?.name ?? '',
    direction: 'above',
    bound: usual?.usual ?? '',
    ...bounded,
    hysteresis: '',
    reportsReturn: false,
    everyMinutes: String(DEFAULT_EVERY_MINUTES),
    endpoints: [],
    channels: new Map(),
    telegramSinceMs: null,
  };
}

/** A page that shows values from a bound on is about that bound: it becomes the one of the sentence. */
function takeBound(
  filters: Map<string, string>,
  { figures }: Subject,
): Partial<Pick<TypedRule, 'figure' | 'direction' | 'bound'>> {
  for (const { name: figure, filters: names } of figures)
    for (const [i, name] of (names ?? []).entries()) {
      const bound = filters.get(name);
      if (bound === undefined) continue;
      filters.delete(name);
      return { figure, direction: i === 0 ? 'above' : 'below', bound };
    }
  return {};
}

function filtersIn(query: URLSearchParams, operation: StreamedOperation): Map<string, string> {
  const filters = new Map<string, string>();
  for (const { name } of filtersOf(operation)) {
    const values = query.getAll(name).filter((value) => value !== '');
    if (values.length > 0) filters.set(name, values.join(','));
  }
  return filters;
}

/** The address of the same form, without what it does not know. */
export function newRuleLink(query: URLSearchParams, operation: StreamedOperation): string {
  const filters = filtersIn(query, operation);
  return `${NEW_RULE_PATH}?${new URLSearchParams([['operation', operation.path.slice(1)], ...filters])}`;
}

export function ruleToEdit(rule: Rule, list: AlertList): TypedRule {
  const { condition } = rule;
  const isCrossing = condition.kind === 'crosses';
  return {
    ...ruleFromLink(new URLSearchParams(), list, false),
    filters: filtersIn(new URLSearchParams(rule.query), list.operation),
    ruleId: rule.id,
    // A name that was made from the sentence follows it.
    name: rule.name === nameOf(rule) ? '' : rule.name,
    kind: condition.kind,
    ...(isCrossing
      ? {
          figure: condition.figure,
          direction: condition.direction,
          bound: String(condition.bound),
          hysteresis: String(condition.hysteresis),
          reportsReturn: condition.reportsReturn,
        }
      : {}),
    everyMinutes: String(rule.everyMinutes),
    endpoints: rule.endpointIds,
  };
}

export function ruleFromForm(fields: URLSearchParams): TypedRule {
  const text = (name: string) => (fields.get(name) ?? '').trim();
  const filters = new Map<string, string>();
  for (const [name, value] of fields)
    if (name.startsWith(FILTER_PREFIX) && value.trim() !== '')
      filters.set(name.slice(FILTER_PREFIX.length), /_usdt?$/.test(name) ? plainNumber(value) : value.trim());
  const venues = [...new Set([text('venue_a'), text('venue_b')])].filter((one) => one !== '');
  if (venues.length > 0) filters.set('exchange', venues.join(','));
  if (venues.length === PAIR) filters.set('exchange_match', 'all');
  const sinceMs = Number(text('telegram_since'));
  return {
    ruleId: fields.get('rule'),
    operation: text('operation'),
    name: text('name'),
    filters,
    kind: text('kind'),
    figure: text('figure'),
    direction: text('direction'),
    bound: text('bound'),
    hysteresis: text('hysteresis'),
    reportsReturn: fields.has('reports_return'),
    everyMinutes: text('every_minutes'),
    endpoints: fields.getAll('endpoint'),
    channels: new Map(TYPED_KINDS.map((kind) => [kind, typedChannel(kind, fields, `${kind}.`)])),
    telegramSinceMs: sinceMs > 0 ? sinceMs : null,
  };
}

/** A decimal comma is one; `1m` and `$1,000` are numbers. */
function typedNumber(text: string): string {
  return plainNumber(/^\D*\d+,\d{1,2}\D*$/.test(text) ? text.replace(',', '.') : text);
}

/** What the rule watches. Throws a Problem for a field that cannot be used. */
export function watchedBy(typed: TypedRule): Pick<RuleInput, 'operation' | 'query' | 'condition'> {
  return {
    operation: typed.operation,
    query: new URLSearchParams([...typed.filters]).toString(),
    condition: conditionOf(typed),
  };
}

function conditionOf({ kind, figure, direction, bound, hysteresis, reportsReturn }: TypedRule): Condition {
  return parseCondition({
    ...{ kind, figure, direction, reportsReturn, bound: typedNumber(bound) },
    ...(hysteresis === '' ? {} : { hysteresis: typedNumber(hysteresis) }),
  });
}

/** Throws a Problem for a field that cannot be used. */
export function inputOf(typed: TypedRule, endpointIds: readonly string[]): RuleInput {
  const { name, everyMinutes } = typed;
  const watched = watchedBy(typed);
  return parseRuleInput({
    ...watched,
    name: name === '' ? nameOf(watched) : name,
    ...(everyMinutes === '' ? {} : { everyMinutes }),
    endpointIds,
  });
}
