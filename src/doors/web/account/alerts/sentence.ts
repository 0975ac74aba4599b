import { MAX_NAME_LENGTH, type RuleInput } from '../../../../alerts/rule.ts';
import { filterText } from '../../pages/lists/labels.ts';
import { figureOf, listingWords, type Only, type Subject, subjectOf, type Unit } from './subjects.ts';

type Sentenced = Pick<RuleInput, 'operation' | 'query' | 'condition'>;

/** Filters that the sentence has in its own words. */
const IN_SENTENCE = new Set(['coin', 'exchange', 'exchange_match', 'type']);

/** "BTC net spread Binance ↔ Bybit goes above 0.3 %": what an alert waits for, as its form says it. */
export function sentenceOf({ operation, query, condition }: Sentenced): string {
  const subject = subjectOf(operation);
  const sent = new URLSearchParams(query);
  const coins = list(sent.get('coin')).join(', ');
  if (!subject) return `a row of /${operation} changes`;
  const where = venueWords(subject, sent);
  if (condition.kind === 'crosses') {
    const { words, unit } = figureOf(subject, condition.figure);
    const bound = withUnit(condition.bound, unit);
    return `${coins || 'any coin’s'} ${words} ${where} goes ${condition.direction} ${bound}`;
  }
  const isNew = condition.kind === 'enters';
  if (subject.list === 'listings') {
    const what = `${listingWords(sent.get('type') ?? '')} of ${coins || 'any coin'} ${where}`;
    return `${what} is ${isNew ? 'found' : 'no longer in the calendar'}`;
  }
  return `a ${coins ? `${coins} ` : ''}${subject.noun} ${where} ${isNew ? 'starts to match' : 'stops matching'}`;
}

/** The further conditions of an alert, in words. */
export function onlyWords({ operation, query }: Pick<RuleInput, 'operation' | 'query'>): string[] {
  const only = subjectOf(operation)?.only ?? [];
  return [...new URLSearchParams(query)]
    .filter(([name]) => !IN_SENTENCE.has(name))
    .map(([name, value]) => {
      const known = only.find(({ filter }) => filter === name);
      return known ? oneOnly(known, value) : filterText(name, value);
    });
}

function oneOnly({ label, unit = '', choices }: Only, value: string): string {
  const words = choices?.find(([one]) => one === value)?.[1];
  if (words !== undefined) return `${label}: ${words}`;
  return `${label} ${unit === '$' ? withUnit(Number(value), '$') : `${list(value).join(', ')} ${unit}`.trim()}`;
}

/** The name of an alert whose owner gave it none. */
export function nameOf(rule: Sentenced): string {
  const sentence = sentenceOf(rule);
  const name = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH - 1)}…`;
}

export function withUnit(value: number, unit: Unit): string {
  const text = value.toLocaleString('en-US', { maximumFractionDigits: 8 });
  if (unit === '$') return `$${text}`;
  return unit === '' ? text : `${text} ${unit}`;
}

function venueWords({ venues }: Subject, sent: URLSearchParams): string {
  const named = list(sent.get('exchange'));
  const [first, second] = named;
  if (venues === 'one') return first === undefined ? 'on any venue' : `on ${named.join(' or ')}`;
  if (first === undefined) return 'between any two venues';
  const isAll = sent.get('exchange_match') === 'all';
  if (named.length === 1) return isAll ? `on ${first}` : `${first} ↔ any venue`;
  if (isAll && named.length === 2) return `${first} ↔ ${second}`;
  return isAll ? `between ${named.join(', ')}` : `with ${named.join(' or ')}`;
}

function list(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
