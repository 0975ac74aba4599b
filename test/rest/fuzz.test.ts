import { fuzz } from './fuzz.ts';

// `test/security/fuzz.long.test.ts` sends ten times as many.
// The second run, on PostgreSQL and Redis, has fewer: the code that parses requests is the same.
fuzz(process.env.PERPWIRE_TEST_BACKEND === undefined ? 2_000 : 1_000);
