/** What a pair costs at a size. */
export const PAIR_COSTS = [
  {
    name: 'entry_cost_pct',
    words: 'cost to get in at my size',
    unit: '%',
    usual: '0.10',
    filters: ['min_entry_cost_pct', 'max_entry_cost_pct'],
  },
  {
    name: 'exit_cost_pct',
    words: 'usual cost to get out at my size',
    unit: '%',
    usual: '0.10',
    filters: ['min_exit_cost_pct', 'max_exit_cost_pct'],
  },
  {
    name: 'exit_cost_worst_pct',
    words: 'cost to get out at bad times at my size',
    unit: '%',
    usual: '0.20',
    filters: ['min_exit_cost_worst_pct', 'max_exit_cost_worst_pct'],
  },
] as const;

/** The conditions that choose the size. */
export const PAIR_SIZE = [
  {
    filter: 'size_usd',
    label: 'My size on each leg',
    choices: [
      ['', 'none: the best prices'],
      ['1000', '$1,000'],
      ['5000', '$5,000'],
      ['20000', '$20,000'],
      ['75000', '$75,000'],
      ['250000', '$250,000'],
    ],
  },
  {
    filter: 'fills',
    label: 'My size fits both books',
    choices: [
      ['', 'or not'],
      ['full', 'yes'],
    ],
  },
] as const;
