import { ownValue } from '../../../../base/own-value.ts';
import { moneyText } from '../../markup/format.ts';

/** The names of filters on pages, by parameter. A range has one label, under the name without `min_` and `max_`. */
const LABELS: Readonly<Record<string, string>> = {
  coin: 'Coins',
  exchange: 'Venues',
  exclude_exchange: 'Leave out venues',
  exchange_match: 'Venues match',
  rate_pct: 'Rate as paid, %',
  abs_rate_pct: 'Rate as paid, either sign, %',
  apr_pct: 'APR if held for a year, after fees, %',
  sum_7d_pct: 'Settled over 7 days, %',
  sum_30d_pct: 'Settled over 30 days, %',
  interval_hours: 'Settles every, hours',
  is_inverse: 'Contracts',
  session: 'Market of the underlying',
  leg_closed: 'Market of a leg',
  volume_usdt: '24 h volume, $',
  open_interest_usdt: 'Open interest, $',
  settles_within_minutes: 'Settles within, minutes',
  fees: 'Your taker fees',
  spread_pct: 'Spread, %',
  net_spread_pct: 'Net spread, %',
  direction: 'Better side',
  strength: 'Strength, 0 to 5',
  age_seconds: 'Quotes no older than, seconds',
  size_usd: 'Order size, $',
  profit_pct: 'Median profit, %',
  avg_profit_pct: 'Mean profit, %',
  cycles: 'Cycles',
  confidence: 'Confidence, 0 to 100',
  active_within_hours: 'Last cycle within, hours',
  hold_days: 'Held for, days',
  slippage_bp: 'Slippage, basis points',
  asset_class: 'Kind of asset',
  same_interval: 'Both legs settle together',
  net_apr_pct: 'Net APR, %',
  gross_apr_pct: 'Gross APR, %',
  carry_pct_day: 'Carry a day, %',
  entry_spread_pct: 'Entry spread, %',
  exit_spread_pct: 'Exit spread, %',
  fee_pct_round_trip: 'Fees of a round trip, %',
  cost_pct_round_trip: 'Costs of a round trip, %',
  realised_1d_pct: 'Earned in 1 day, %',
  realised_7d_pct: 'Earned in 7 days, %',
  realised_30d_pct: 'Earned in 30 days, %',
  realised_90d_pct: 'Earned in 90 days, %',
  expected_carry_1d_pct: 'Expected in 1 day, %',
  expected_carry_7d_pct: 'Expected in 7 days, %',
  expected_carry_30d_pct: 'Expected in 30 days, %',
  expected_low_pct: 'Expected while held, low end, %',
  expected_high_pct: 'Expected while held, high end, %',
  expected_low_net_apr_pct: 'Likely net APR at least, %',
  expected_net_apr_pct: 'Expected net APR, %',
  probability_net_positive: 'Chance to earn more than the costs, 0 to 1',
  positive_hours_30d_pct: 'Hours that earned, %',
  worst_day_30d_pct: 'Worst day of funding, %',
  max_drawdown_30d_pct: 'Drawdown of funding, %',
  median_hours_above_fee: 'Lasted above the fee, hours',
  break_even_hours: 'Breaks even after, hours',
  capacity_usd: 'Size that fits, at least, $',
  entry_cost_pct: 'Cost to get in at the size, %',
  exit_cost_pct: 'Cost to get out at the size, %',
  exit_cost_worst_pct: 'Cost to get out at bad times, %',
  book_age_seconds: 'Age of the older book, seconds',
  fills: 'Size fits the books',
  possible_capacity_usd: 'Capacity, $',
  bid_1bp_usd: 'Can be sold within 1 bp, $',
  bid_2bp_usd: 'Can be sold within 2 bp, $',
  bid_5bp_usd: 'Can be sold within 5 bp, $',
  bid_10bp_usd: 'Can be sold within 10 bp, $',
  bid_25bp_usd: 'Can be sold within 25 bp, $',
  bid_50bp_usd: 'Can be sold within 50 bp, $',
  ask_1bp_usd: 'Can be bought within 1 bp, $',
  ask_2bp_usd: 'Can be bought within 2 bp, $',
  ask_5bp_usd: 'Can be bought within 5 bp, $',
  ask_10bp_usd: 'Can be bought within 10 bp, $',
  ask_25bp_usd: 'Can be bought within 25 bp, $',
  ask_50bp_usd: 'Can be bought within 50 bp, $',
  bid_ask_spread_pct: 'Spread of the book, %',
  buy_cost_pct: 'Cost to buy the size, %',
  sell_cost_pct: 'Cost to sell the size, %',
  buy_cost_24h_worst_pct: 'Worst cost to buy in 24 h, %',
  sell_cost_24h_worst_pct: 'Worst cost to sell in 24 h, %',
  type: 'What',
  status: 'Status',
  source: 'Found in',
  from: 'From',
  to: 'Until',
  days_ahead: 'Within the next, days',
  detected_after: 'Found after',
  q: 'Search',
  match: 'Search matches',
  trading_enabled: 'Can be traded here',
  has_spot: 'Has a spot market',
  venues: 'Venues that quote it',
};

/** Words for values that the API spells for programs. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  is_inverse: { true: 'Inverse', false: 'Linear' },
  leg_closed: { true: 'Closed', false: 'Open' },
  exchange_match: { any: 'Either leg', all: 'Both legs' },
  direction: { long_a_short_b: 'Buy the first venue', short_a_long_b: 'Buy the second venue' },
  fills: { full: 'All of it', partial: 'A part of it', unknown: 'Not known' },
  match: { prefix: 'The start', contains: 'Any part' },
  source: {
    announcement: 'Notice of the venue',
    instruments: 'List of contracts',
    diff: 'Change of the list',
  },
  type: { listing: 'Listings', delisting: 'Delistings' },
};
const FLAGS: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' };

/** The name of a range: `min_volume_usdt` and `max_volume_usdt` are both `volume_usdt`. */
export function rangeOf(name: string): { base: string; end: 'min' | 'max' } | null {
  const found = /^(min|max)_(.+)$/.exec(name);
  return found ? { base: found[2] ?? '', end: found[1] as 'min' | 'max' } : null;
}

/** A label for people. A parameter without one shows the start of its description, which a test does not allow. */
export function labelOf(name: string, description = ''): string {
  const label = ownValue(LABELS, name) ?? ownValue(LABELS, rangeOf(name)?.base ?? '');
  return label ?? description.split(/[;:,.(]/)[0]?.trim() ?? '';
}

export function hasLabel(name: string): boolean {
  return Object.hasOwn(LABELS, name) || Object.hasOwn(LABELS, rangeOf(name)?.base ?? '');
}

export function valueLabel(name: string, value: string): string {
  const words = ownValue(ownValue(VALUES, name) ?? {}, value) ?? ownValue(FLAGS, value);
  if (words !== undefined) return words;
  return value.charAt(0).toUpperCase() + value.slice(1);
}

/** An active filter in words, such as `24 h volume from $1 M` or `Settles every 1 h or 4 h`. */
export function filterText(name: string, value: string): string {
  if (name === 'interval_hours') return `Settles every ${value.split(',').join(' h or ')} h`;
  if (name === 'exclude_exchange') return `Without ${value.split(',').join(', ')}`;
  if (name === 'is_inverse') return value === 'false' ? 'Linear only' : 'Inverse only';
  if (name === 'coin' || name === 'exchange') return value.split(',').join(', ');
  if (name === 'settles_within_minutes') return `Settles within ${value} min`;
  if (name === 'max_age_seconds') return `Quotes no older than ${value} s`;
  const range = rangeOf(name);
  const [label, unit = ''] = (ownValue(LABELS, name) ?? ownValue(LABELS, range?.base ?? '') ?? name)
    .split(', ')
    .reduce<[string, string?]>(
      ([text], part, i, all) =>
        i > 0 && i === all.length - 1 ? [text, part] : [i === 0 ? part : `${text}, ${part}`],
      [''],
    );
  const shown =
    unit === '$'
      ? moneyText(Number(value)).replace('.0', '')
      : unit === '%'
        ? `${value} %`
        : valueLabel(name, value);
  if (range) return `${label} ${range.end === 'min' ? 'from' : 'up to'} ${shown}`;
  return `${label}: ${shown}`;
}
