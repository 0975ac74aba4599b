import { suite } from 'node:test';
import { testRoundTrips } from '../../../test/venues/round-trips.ts';

suite('every venue, with many coins', () => testRoundTrips({ coins: 40, walked: 12 }));
