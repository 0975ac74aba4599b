import { suite } from 'node:test';
import { testSortsAndFilters } from '../../../test/spreads/sorts-and-filters.ts';

suite('/spreads at 33 venues, 8,000 contracts, 70,000 pairs', () => {
  testSortsAndFilters(460, 65_000);
});
