import { DEFAULT_EVERY_MINUTES, parseRuleInput, type Rule, type RuleInput } from '../../../../alerts/rule.ts';
import type { StreamedOperation } from '../../../../operations/operation.ts';
import type { Parameter } from '../../../../query/parameter.ts';
import { NEW_RULE_PATH } from './paths.ts';

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
}

/** The form's fields of filters begin with this, because some filters have the names of other fields. */
export const FILTER_PREFIX = 'filter.';
/** They choose what a page of the list shows, and say nothing about which rows an alert is for. */
const NOT_FILTERS = new Set(['cursor', 'fields', 'limit', 'sort', 'format']);

export function filtersOf(operation: StreamedOperation): readonly Parameter[] {
  return Object.values(operation.parameters).filter(
    (parameter) => parameter.in === 'query' && !NOT_FILTERS.has(parameter.name),
  );
}

/** A new rule from the filters of a page: /account/alerts/new?operation=funding&coin=BTC. */
export function ruleFromLink(query: URLSearchParams, operation: StreamedOperation): TypedRule {
  const filters = new Map<string, string>();
  for (const { name } of filtersOf(operation)) {
    const values = query.getAll(name).filter((value) => value !== '');
    if (values.length > 0) filters.set(name, values.join(','));
  }
  return {
    ruleId: null,
    operation: operation.path.slice(1),
    name: '',
    filters,
    kind: 'enters',
    figure: '',
    direction: 'above',
    bound: '',
    hysteresis: '',
    reportsReturn: true,
    everyMinutes: String(DEFAULT_EVERY_MINUTES),
    endpoints: [],
  };
}

/** The address of the same form, without what it does not know. */
export function newRuleLink(query: URLSearchParams, operation: StreamedOperation): string {
  const { operation: list, filters } = ruleFromLink(query, operation);
  return `${NEW_RULE_PATH}?${new URLSearchParams([['operation', list], ...filters])}`;
}

export function ruleToEdit(rule: Rule, operation: StreamedOperation): TypedRule {
  const { condition } = rule;
  const typed = ruleFromLink(new URLSearchParams(rule.query), operation);
  const isCrossing = condition.kind === 'crosses';
  return {
    ...typed,
    ruleId: rule.id,
    name: rule.name,
    kind: condition.kind,
    figure: isCrossing ? condition.figure : '',
    direction: isCrossing ? condition.direction : 'above',
    bound: isCrossing ? String(condition.bound) : '',
    hysteresis: isCrossing ? String(condition.hysteresis) : '',
    reportsReturn: isCrossing ? condition.reportsReturn : true,
    everyMinutes: String(rule.everyMinutes),
    endpoints: rule.endpointIds,
  };
}

export function ruleFromForm(fields: URLSearchParams): TypedRule {
  const text = (name: string) => (fields.get(name) ?? '').trim();
  const filters = new Map<string, string>();
  for (const [name, value] of fields)
    if (name.startsWith(FILTER_PREFIX) && value.trim() !== '')
      filters.set(name.slice(FILTER_PREFIX.length), value.trim());
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
  };
}

/** Throws a Problem for a field that cannot be used. */
export function inputOf(typed: TypedRule, endpointIds: readonly string[]): RuleInput {
  const { kind, figure, direction, bound, hysteresis, reportsReturn, everyMinutes } = typed;
  return parseRuleInput({
    name: typed.name,
    operation: typed.operation,
    query: new URLSearchParams([...typed.filters]).toString(),
    condition: {
      kind,
      figure,
      direction,
      bound: bound.replace(',', '.'),
      ...(hysteresis === '' ? {} : { hysteresis: hysteresis.replace(',', '.') }),
      reportsReturn,
    },
    ...(everyMinutes === '' ? {} : { everyMinutes }),
    endpointIds,
  });
}
