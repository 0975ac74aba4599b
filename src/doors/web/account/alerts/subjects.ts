import { ownValue } from '../../../../base/own-value.ts';
import { figureName } from '../../../../operations/answer/row-words.ts';
import { PAIR_COSTS, PAIR_SIZE } from './pair-size.ts';

export type Unit = '%' | '$' | 'h' | '';

/** A number that an alert can be about, by the name that traders use. */
export interface Figure {
  name: string;
  words: string;
  unit: Unit;
  /** A bound that is worth an alert; what the form starts with. */
  usual: string;
  /** The filters of the list that bound the same number, lowest and highest. */
  filters?: readonly [min: string, max: string];
}

/** A further condition: a filter of the list in words, with its value in the middle. */
export interface Only {
  filter: string;
  label: string;
  unit?: string;
  /** The values that can be chosen, with their words. Absent: a field. */
  choices?: readonly (readonly [value: string, words: string])[];
}

/** What alerts on a list are about. */
export interface Subject {
  /** The path of the list without its slash. */
  list: string;
  title: string;
  /** One row of the list. */
  noun: string;
  venues: 'one' | 'pair';
  /** The first is what the form starts with. None: alerts are only about rows that come. */
  figures: readonly Figure[];
  only: readonly Only[];
}

const FEES: Only = {
  filter: 'fees',
  label: 'Fees',
  choices: [
    ['', 'the usual ones'],
    ['account', 'mine'],
  ],
};
const VOLUME: Only = { filter: 'min_volume_usdt', label: '24 h volume at least', unit: '$' };
const BOTH_VOLUMES: Only = { ...VOLUME, label: '24 h volume on both venues at least' };
const WITHOUT: Only = { filter: 'exclude_exchange', label: 'Without the venues' };

export const SUBJECTS: readonly Subject[] = [
  {
    list: 'funding',
    title: 'Funding',
    noun: 'contract',
    venues: 'one',
    figures: [
      {
        name: 'rate_pct',
        words: 'funding rate',
        unit: '%',
        usual: '0.05',
        filters: ['min_rate_pct', 'max_rate_pct'],
      },
      {
        name: 'gross_apr_pct',
        words: 'funding APR',
        unit: '%',
        usual: '30',
        filters: ['min_gross_apr_pct', 'max_gross_apr_pct'],
      },
      { name: 'sum_7d_pct', words: 'funding of 7 days', unit: '%', usual: '0.5' },
      { name: 'sum_30d_pct', words: 'funding of 30 days', unit: '%', usual: '2' },
      { name: 'open_interest_usdt', words: 'open interest', unit: '$', usual: '100m' },
      { name: 'volume_24h_usdt', words: '24 h volume', unit: '$', usual: '100m' },
      { name: 'mark_price', words: 'price', unit: '$', usual: '100000' },
    ],
    only: [
      VOLUME,
      { filter: 'interval_hours', label: 'Settles every', unit: 'h' },
      { filter: 'settles_within_minutes', label: 'Settles within', unit: 'min' },
      {
        filter: 'is_inverse',
        label: 'Contracts',
        choices: [
          ['', 'linear and inverse'],
          ['false', 'linear'],
          ['true', 'inverse'],
        ],
      },
      WITHOUT,
    ],
  },
  {
    list: 'spreads',
    title: 'Spread',
    noun: 'pair',
    venues: 'pair',
    figures: [
      {
        name: 'net_spread_pct',
        words: 'net spread',
        unit: '%',
        usual: '0.30',
        filters: ['min_net_spread_pct', 'max_net_spread_pct'],
      },
      {
        name: 'spread_pct',
        words: 'spread before fees',
        unit: '%',
        usual: '0.50',
        filters: ['min_spread_pct', 'max_spread_pct'],
      },
      { name: 'strength', words: 'strength', unit: '', usual: '4' },
      ...PAIR_COSTS,
    ],
    only: [
      ...PAIR_SIZE,
      { filter: 'max_age_seconds', label: 'Quotes no older than', unit: 's' },
      BOTH_VOLUMES,
      { filter: 'min_strength', label: 'Strength of 0 to 5 at least' },
      FEES,
      WITHOUT,
    ],
  },
  {
    list: 'arbitrage',
    title: 'Funding arbitrage',
    noun: 'pair',
    venues: 'pair',
    figures: [
      {
        name: 'net_apr_pct',
        words: 'net APR',
        unit: '%',
        usual: '20',
        filters: ['min_net_apr_pct', 'max_net_apr_pct'],
      },
      {
        name: 'gross_apr_pct',
        words: 'gross APR',
        unit: '%',
        usual: '30',
        filters: ['min_gross_apr_pct', 'max_gross_apr_pct'],
      },
      { name: 'price_gap_pct', words: 'price gap', unit: '%', usual: '0.30' },
      {
        name: 'realised_7d_pct',
        words: 'funding earned in 7 days',
        unit: '%',
        usual: '0.5',
        filters: ['min_realised_7d_pct', 'max_realised_7d_pct'],
      },
      {
        name: 'break_even_hours',
        words: 'break-even time',
        unit: 'h',
        usual: '24',
        filters: ['min_break_even_hours', 'max_break_even_hours'],
      },
      {
        name: 'capacity_usd',
        words: 'size that fits',
        unit: '$',
        usual: '50k',
        filters: ['min_capacity_usd', 'max_capacity_usd'],
      },
      ...PAIR_COSTS,
    ],
    only: [
      ...PAIR_SIZE,
      { filter: 'min_possible_capacity_usd', label: 'Takes at least', unit: '$' },
      {
        filter: 'hold_days',
        label: 'Held for',
        choices: [
          ['', '30 days'],
          ['1', '1 day'],
          ['7', '7 days'],
          ['90', '90 days'],
        ],
      },
      VOLUME,
      FEES,
      WITHOUT,
    ],
  },
  {
    list: 'spreads/backtest',
    title: 'Backtest',
    noun: 'pair',
    venues: 'pair',
    figures: [
      {
        name: 'est_profit_pct',
        words: 'median profit of a round trip',
        unit: '%',
        usual: '0.20',
        filters: ['min_profit_pct', 'max_profit_pct'],
      },
      { name: 'avg_profit_pct', words: 'mean profit of a round trip', unit: '%', usual: '0.20' },
      { name: 'cycles', words: 'number of cycles in 7 days', unit: '', usual: '10' },
      { name: 'confidence', words: 'confidence', unit: '', usual: '60' },
    ],
    only: [
      {
        filter: 'size_usd',
        label: 'Order size',
        choices: [
          ['', '$100'],
          ['25', '$25'],
          ['500', '$500'],
        ],
      },
      { filter: 'min_cycles', label: 'Cycles at least' },
      { filter: 'min_confidence', label: 'Confidence of 0 to 100 at least' },
      { filter: 'active_within_hours', label: 'Last cycle within', unit: 'h' },
      BOTH_VOLUMES,
      FEES,
      WITHOUT,
    ],
  },
  {
    list: 'depth',
    title: 'Depth',
    noun: 'contract',
    venues: 'one',
    figures: [
      { name: 'buy_cost_pct', words: 'cost to buy', unit: '%', usual: '0.05' },
      { name: 'sell_cost_pct', words: 'cost to sell', unit: '%', usual: '0.05' },
      { name: 'bid_ask_spread_pct', words: 'spread of the book', unit: '%', usual: '0.05' },
      { name: 'ask_10bp_usd', words: 'size that can be bought within 10 bp', unit: '$', usual: '100k' },
      { name: 'bid_10bp_usd', words: 'size that can be sold within 10 bp', unit: '$', usual: '100k' },
    ],
    only: [
      {
        filter: 'size_usd',
        label: 'Order size',
        choices: [
          ['', '$20,000'],
          ['1000', '$1,000'],
          ['5000', '$5,000'],
          ['75000', '$75,000'],
          ['250000', '$250,000'],
        ],
      },
      VOLUME,
      { filter: 'max_age_seconds', label: 'Books no older than', unit: 's' },
      WITHOUT,
    ],
  },
  {
    list: 'listings',
    title: 'Listings',
    noun: 'listing',
    venues: 'one',
    figures: [],
    only: [{ filter: 'days_ahead', label: 'Takes effect within', unit: 'days' }, WITHOUT],
  },
];

export function subjectOf(list: string): Subject | undefined {
  return SUBJECTS.find((one) => one.list === list);
}

/** The figure of a subject; one that its form does not offer has the words of its column. */
export function figureOf({ figures }: Subject, name: string): Figure {
  const unit: Unit = /_pct(_|$)/.test(name)
    ? '%'
    : /_usdt?$/.test(name)
      ? '$'
      : /_hours/.test(name)
        ? 'h'
        : '';
  return figures.find((one) => one.name === name) ?? { name, words: figureName(name), unit, usual: '' };
}

const LISTING_WORDS: Readonly<Record<string, string>> = {
  '': 'a listing or delisting',
  listing: 'a listing',
  delisting: 'a delisting',
};

export const LISTING_KINDS = Object.entries(LISTING_WORDS);

export function listingWords(type: string): string {
  return ownValue(LISTING_WORDS, type) ?? type;
}
