import type { Answer } from '../../../operations/operation.ts';
import { type DescribedRows, described } from './described-rows.ts';
import { dataBefore, type Row } from './first-row.ts';

const COINS = described('coin', (coin) => {
  const venues = `${coin.venue_count} ${plural(coin.venue_count, 'venue')}`;
  return `${coin.coin} on ${venues}, ${usdt(coin.volume_24h_usdt)} traded in 24 h`;
});
const CONTRACTS = described('contract', (row) => {
  const apr = isNumber(row.apr_pct) ? `, ${signed(row.apr_pct)} % a year after costs` : '';
  return `${row.symbol} on ${row.exchange} at ${rate(row.rate_pct, row.interval_hours)} (${payer(row.rate_pct)})${apr}`;
});
const VENUE_PAIRS = described('venue pair', (row) => {
  const isLongA = row.direction === 'long_a_short_b';
  const [buy, sell] = isLongA ? [row.exchange_a, row.exchange_b] : [row.exchange_b, row.exchange_a];
  return `${row.symbol}, buy on ${buy} and sell on ${sell}: ${signed(row.spread_pct)} % of price before fees, strength ${row.strength} of 5`;
});
const TESTED_SPREADS = described('spread', (row) => {
  const cycles = `${row.cycles} ${plural(row.cycles, 'cycle')}`;
  return `${row.symbol} between ${row.exchange_a} and ${row.exchange_b}, median ${signed(row.est_profit_pct)} % per round trip after fees over ${cycles}, confidence ${row.confidence} of 100`;
});
const EVENTS = described('event', (row) => {
  const when = row.effective_at === null ? 'no date yet' : `effective ${row.effective_at}`;
  const status = row.status === null ? '' : ` ${row.status},`;
  return `${row.kind} of ${row.symbol} on ${row.exchange},${status} ${when}`;
});
const VENUES = described('venue', (row) => {
  const contracts = `${row.tracked_instruments} ${plural(row.tracked_instruments, 'contract')}`;
  return `${row.exchange} with ${contracts}, taker fee ${row.taker_fee_pct} %`;
});

/** One line in words for each tool: what the answer says, with units. Only what its data shows, nothing guessed. */
const CONCLUSIONS: Readonly<Record<string, (answer: Answer) => string>> = {
  svc_search_coins: (answer) => list(answer, COINS),
  svc_get_funding_rates: (answer) => list(answer, CONTRACTS),
  svc_get_coin_funding: ({ data }) => {
    const coin = JSON.parse(data) as Row & { highest?: Row | null; lowest?: Row | null };
    const { highest, lowest } = coin;
    if (!highest || !lowest) return `No linear perpetual on ${coin.coin} matches.`;
    return `${coin.coin} on ${coin.venue_count} ${plural(coin.venue_count, 'venue')}: highest ${signed(highest.rate_pct)} % per settlement on ${highest.exchange}, lowest ${signed(lowest.rate_pct)} % on ${lowest.exchange}, ${coin.spread_pct} percentage points apart; ${bestVenues(coin)}.`;
  },
  svc_get_funding_history: ({ data }) => historyConclusion(JSON.parse(data) as History),
  svc_get_spreads: (answer) => list(answer, VENUE_PAIRS),
  svc_get_spread_backtest: (answer) => {
    const head = dataBefore(answer.data, 'spreads');
    const withheld = isNumber(head.withheld_top) && head.withheld_top > 0;
    const note = withheld ? ` The ${head.withheld_top} best rows are withheld on this plan.` : '';
    return `For orders of ${head.size_usd} USD: ${list(answer, TESTED_SPREADS)}${note}`;
  },
  svc_get_listings: (answer) => list(answer, EVENTS),
  svc_get_exchanges: (answer) => list(answer, VENUES),
  svc_get_usage: ({ data }) => {
    const usage = JSON.parse(data) as { plan: string; month: Row; minute: Row };
    return `Plan ${usage.plan}: ${usage.minute.used} of ${usage.minute.limit} requests used in this minute, ${usage.month.used} of ${usage.month.limit} in this month.`;
  },
};

export function conclude(toolName: string, answer: Answer): string {
  const words = CONCLUSIONS[toolName]?.(answer) ?? 'The data follows.';
  const { as_of, delayed_seconds } = answer.meta;
  return `${words} As of ${as_of}${delayed_seconds > 0 ? ` (${delayed_seconds} s late on this plan)` : ''}.`;
}

function list(answer: Answer, { noun, firstInWords }: DescribedRows): string {
  const { meta } = answer;
  const words = firstInWords(answer);
  if (words === null) return `No ${noun} matches these filters.`;
  const total = meta.total ?? meta.count ?? 0;
  const shown = meta.count !== null && meta.count < total ? `, ${meta.count} shown here` : '';
  const matches = `${total} ${plural(total, noun)} ${total === 1 ? 'matches' : 'match'}${shown}`;
  return `${matches}; first: ${words}.`;
}

/** Without a known interval there is no rate per hour to compare. */
function bestVenues({ best_short_exchange: short, best_long_exchange: long }: Row): string {
  if (short === null || long === null) return 'no interval is known, so rates per hour cannot be compared';
  return `per hour, ${short} is best for a short and ${long} for a long`;
}

interface History {
  coin: string;
  resolution: string;
  from: string;
  to: string;
  series: {
    exchange: string;
    symbol: string;
    daily: { apr_pct: number | null }[] | null;
    settlements: { time: string; rate_pct: number }[] | null;
  }[];
}

function historyConclusion({ coin, resolution, from, to, series }: History): string {
  const window = `from ${from} to ${to}`;
  if (resolution === 'settlement') {
    const [one] = series;
    const prints = one?.settlements ?? [];
    if (!one || prints.length === 0) return `No settled funding of ${coin} is held ${window}.`;
    const sum = prints.reduce((total, { rate_pct }) => total + rate_pct, 0);
    // A limit may have left some out, so this says what is listed and not how often it settled.
    return `${prints.length} ${plural(prints.length, 'settlement')} of ${one.symbol} on ${one.exchange} listed, ${window}; their rates add up to ${signed(Number(sum.toFixed(6)))} % (${payer(sum)}).`;
  }
  const means = series
    .map(({ exchange, daily }) => {
      const known = (daily ?? []).flatMap(({ apr_pct }) => (apr_pct === null ? [] : [apr_pct]));
      return { exchange, mean: known.reduce((total, apr) => total + apr, 0) / known.length };
    })
    .filter(({ mean }) => Number.isFinite(mean))
    .sort((a, b) => b.mean - a.mean);
  const [best, worst] = [means[0], means.at(-1)];
  if (!best || !worst) return `No daily funding of ${coin} is held ${window}.`;
  const mean = (one: { exchange: string; mean: number }) =>
    `${one.exchange} ${signed(Number(one.mean.toFixed(2)))} %`;
  const venues = `${series.length} ${plural(series.length, 'venue')}`;
  const range =
    best === worst ? `mean: ${mean(best)}` : `highest mean: ${mean(best)}, lowest mean: ${mean(worst)}`;
  return `Daily funding of ${coin} on ${venues} in percent a year after costs, ${window}; ${range}.`;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function signed(value: unknown): string {
  return isNumber(value) && value > 0 ? `+${value}` : String(value);
}

function rate(ratePct: unknown, intervalHours: unknown): string {
  const per = isNumber(intervalHours) ? `per ${intervalHours} h` : 'per settlement, interval unknown';
  return `${signed(ratePct)} % ${per}`;
}

function payer(ratePct: unknown): string {
  if (!isNumber(ratePct) || ratePct === 0) return 'nobody pays';
  return ratePct > 0 ? 'longs pay shorts' : 'shorts pay longs';
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

function usdt(value: unknown): string {
  return isNumber(value) ? `${COMPACT.format(value)} USDT` : 'an unknown volume';
}

function plural(count: unknown, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
