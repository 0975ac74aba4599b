import { ownValue } from '../../../../base/own-value.ts';
import type { Problem } from '../../../../base/problems.ts';
import type { Html } from '../../markup/html.ts';
import { hasLabel, labelOf } from '../../pages/lists/labels.ts';
import { INVALID } from '../../sign-in/form-parts.ts';

/** Why a form was refused, and which field has to change; null: none in particular. */
export interface Refusal {
  problem: Problem;
  field: string | null;
}

/** The fields as a reader knows them, by the name that a Problem has for them. */
const FIELDS: Readonly<Record<string, string>> = {
  name: 'The name',
  condition: 'When',
  figure: 'The number',
  direction: 'The direction',
  bound: 'The value',
  hysteresis: 'The reset distance',
  everyMinutes: 'The pause',
  url: 'The address',
  server: 'The server',
  topic: 'The topic',
};

function fieldWords(name: string): string | null {
  return ownValue(FIELDS, name) ?? (hasLabel(name) ? `“${labelOf(name)}”` : null);
}

/** A Problem starts with the field that it is about, in quotation marks. */
export function refusalOf(problem: Problem): Refusal {
  const [, field = null] = /^"(\w+)"/.exec(problem.detail) ?? [];
  if (field === 'endpointIds' || (field !== null && fieldWords(field) !== null)) return { problem, field };
  return { problem, field: /served venue/.test(problem.detail) ? 'exchange' : null };
}

export function faulty(refusal: Refusal | null, field: string): Html | null {
  return refusal?.field === field ? INVALID : null;
}

/** The reason for the owner of the alerts. The pages say alert and channel where the API says rule and endpoint. */
export function reasonOf({ detail, suggestions }: Problem): string {
  if (detail.startsWith('"endpointIds"')) return 'Choose from one to ten ways to reach you.';
  const words = detail
    .replace(/^"(\w+)"/, (whole, name: string) => fieldWords(name) ?? whole)
    .replace('; names are case-sensitive, see /api/v1/exchanges', '')
    .replaceAll(/\bendpoint/g, 'channel')
    .replaceAll(/\brule\b/g, 'alert');
  return suggestions ? `${words} Did you mean ${suggestions.slice(0, 5).join(', ')}?` : words;
}
