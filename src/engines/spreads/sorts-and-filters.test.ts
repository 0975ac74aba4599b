import { suite } from 'node:test';
import { testSortsAndFilters } from '../../../test/spreads/sorts-and-filters.ts';

suite('/spreads at 33 venues, 700 contracts, 6,000 pairs', () => {
  testSortsAndFilters(40, 5_500);
});
