import { Problem } from '../../../base/problems.ts';
import { coinText, text } from '../../../query/kinds.ts';
import { invalid, type Parameter } from '../../../query/parameter.ts';

/** A prompt as `prompts/list` shows it, and the message that it becomes. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  message(values: Readonly<Record<string, string>>, baseUrl: string): string;
}

interface PromptArgument {
  parameter: Parameter<string>;
  isRequired: boolean;
}

const MAX_EXCHANGE_LENGTH = 40;
const QUOTING =
  'Quote every rate with its venue, its settlement interval and meta.as_of, and link to meta.url.';

/** Letters, digits and a few marks: a value becomes part of a message, so it must not contain a sentence of its own. */
const TICKER = /^[\p{L}\p{N}._$!+-]+$/u;

const COIN: PromptArgument = { parameter: ticker(), isRequired: true };

function ticker(): Parameter<string> {
  const parameter = coinText('coin', 'Ticker of the coin without multiplier, such as BTC');
  return {
    ...parameter,
    parse: (value) => {
      if (!TICKER.test(value)) throw invalid('coin', 'must be a ticker such as BTC', value);
      return parameter.parse(value);
    },
  };
}

/** Names are checked against the served venues. */
function exchange(description: string, isRequired: boolean): PromptArgument {
  const parameter = text('exchange', MAX_EXCHANGE_LENGTH, description);
  return { parameter: { ...parameter, isExchangeName: true }, isRequired };
}

const COMPARE_VENUES: Prompt = {
  name: 'compare_venues',
  title: 'Compare venues for a coin',
  description:
    'Where a long and where a short on one coin earns or pays most, now and as settled over 30 days',
  arguments: [
    COIN,
    exchange('A venue to compare with all others, spelled as svc_get_exchanges returns it', false),
  ],
  message: (
    { coin, exchange: own },
    baseUrl,
  ) => `Compare the perpetual futures on ${coin} over the trading venues.

1. Call svc_get_coin_funding with coin "${coin}". Rank the venues by rate per hour, not per settlement, because intervals differ.
2. Call svc_get_funding_history with coin "${coin}" to see whether today's leaders also paid best when funding was settled.
3. Call svc_get_spreads with coin "${coin}" for the price difference that entering and leaving would cost.
${own === undefined ? '' : `4. State for ${own} how far it is from the best venue, for a long and for a short.\n`}
Answer with one table of venues (rate, interval, rate per hour, 24 h volume) and two sentences: the best venue for a long and for a short, and what could make it worse. ${QUOTING} The formulas are in ${baseUrl}/developers/rules.md.`,
};

const EXPLAIN_RATE: Prompt = {
  name: 'explain_rate',
  title: 'Explain a funding rate',
  description:
    'What the funding rate of a coin on one venue means: who pays whom, how much, when, and whether it is unusual',
  arguments: [COIN, exchange('The venue, spelled as svc_get_exchanges returns it', true)],
  message: (
    { coin, exchange: venue },
    baseUrl,
  ) => `Explain the current funding rate of ${coin} on ${venue} to someone who knows futures but not this venue.

1. Call svc_get_coin_funding with coin "${coin}" and take the row of ${venue}.
2. Call svc_get_funding_history with coin "${coin}" and exchange "${venue}" for what was settled before.
3. Read ${baseUrl}/developers/rules.md for the formulas, and ${baseUrl}/developers/venues.md#${venue} for how this venue publishes its rate.

State who pays whom, how much a position of 10,000 USDT pays or gets at the next settlement and per day, when the next settlement is, and whether the rate is unusual against the settled ones and against the other venues. State what is unknown instead of guessing. ${QUOTING}`,
};

export const PROMPTS: readonly Prompt[] = [COMPARE_VENUES, EXPLAIN_RATE];

/** The arguments after validation; throws a Problem that names the argument and what is allowed. */
export function promptValues(
  prompt: Prompt,
  sent: Readonly<Record<string, unknown>>,
  checkExchange: (name: string) => void,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { parameter, isRequired } of prompt.arguments) {
    const { name, description } = parameter;
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value === undefined) {
      if (isRequired) throw refused(`"${name}" is required: ${description}.`);
      continue;
    }
    if (typeof value !== 'string') throw refused(`"${name}" must be text.`);
    if (value === '') throw refused(`"${name}" is empty; leave it out or give it a value.`);
    const parsed = parameter.parse(value);
    if (parameter.isExchangeName) checkExchange(parsed);
    values[name] = parsed;
  }
  const known = prompt.arguments.map(({ parameter }) => parameter.name);
  const unknown = Object.keys(sent).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw refused(`There is no argument "${unknown.slice(0, 40)}"; ${prompt.name} has ${known.join(', ')}.`);
  return values;
}

function refused(detail: string): Problem {
  return new Problem('invalid-parameter', detail);
}
