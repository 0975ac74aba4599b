import { isNumber, payer, plural, signed } from '../answer/words.ts';
import type { History } from './history.ts';

/** The answer in a sentence. */
export function conclusionOf(history: History): string {
  return history.resolution === 'settlement' ? settlementsConclusion(history) : dailyConclusion(history);
}

function settlementsConclusion({ coin, from, to, series }: History): string {
  const [one] = series;
  const prints = one?.settlements ?? [];
  if (!one || prints.length === 0) return `No settled funding of ${coin} is held from ${from} to ${to}.`;
  const sum = prints.reduce((total, { rate_pct }) => total + rate_pct, 0);
  const intervals = [...new Set(prints.map(({ interval_hours }) => interval_hours))]
    .filter(isNumber)
    .sort((a, b) => a - b);
  const each = intervals.length === 0 ? 'at an unknown interval' : `each for ${intervals.join(' or ')} h`;
  // `limit` may have left some out, so this states what is listed and not how often the contract settled.
  return `${prints.length} ${plural(prints.length, 'settlement')} of ${one.symbol} on ${one.exchange} listed, ${each}, from ${from} to ${to}; their rates add up to ${signed(Number(sum.toFixed(6)))} % (${payer(sum)}).`;
}

function dailyConclusion({ coin, from, to, series }: History): string {
  const means = series
    .map(({ exchange, daily }) => {
      const known = (daily ?? []).flatMap(({ apr_pct }) => (apr_pct === null ? [] : [apr_pct]));
      return { exchange, mean: known.reduce((total, apr) => total + apr, 0) / known.length };
    })
    .filter(({ mean }) => Number.isFinite(mean))
    .sort((a, b) => b.mean - a.mean);
  const [best, worst] = [means[0], means.at(-1)];
  if (!best || !worst) return `No daily funding of ${coin} is held from ${from} to ${to}.`;
  const words = (one: { exchange: string; mean: number }) =>
    `${one.exchange} ${signed(Number(one.mean.toFixed(2)))} %`;
  const venues = `${series.length} ${plural(series.length, 'venue')}`;
  const range =
    best === worst ? `mean: ${words(best)}` : `highest mean: ${words(best)}, lowest mean: ${words(worst)}`;
  return `Daily funding of ${coin} on ${venues} in percent a year after costs, from ${from} to ${to}; ${range}.`;
}
