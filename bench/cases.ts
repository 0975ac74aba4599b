import type { BenchCase } from './figure.ts';

interface NamedCase {
  name: string;
  about: string;
  load: () => Promise<{ bench: BenchCase }>;
}

/** Every case, in the order in which they run. */
export const CASES: readonly NamedCase[] = [
  {
    name: 'rest',
    about: 'lists over REST beside bare node:http and beside the naive way',
    load: () => import('./cases/rest.ts'),
  },
  {
    name: 'mcp',
    about: 'tool calls beside a bare Fastify route',
    load: () => import('./cases/mcp.ts'),
  },
  {
    name: 'pages',
    about: 'pages beside the API answers with the same data',
    load: () => import('./cases/pages.ts'),
  },
  {
    name: 'streams',
    about: 'a snapshot to all streams beside the naive way; memory of a stream',
    load: () => import('./cases/streams.ts'),
  },
  {
    name: 'collecting',
    about: 'collectors of all venues beside fetching alone; the spread table beside the naive way',
    load: () => import('./cases/collecting.ts'),
  },
  {
    name: 'history',
    about: 'settled payments beside plain SQL, and with ten times as many',
    load: () => import('./cases/history.ts'),
  },
  {
    name: 'lake',
    about:
      'files of prints: writing them, reading one coin over Range, storing those of another installation',
    load: () => import('./cases/lake.ts'),
  },
  {
    name: 'memory-and-start',
    about: 'start and resident memory of the demo and of the full size; age of a snapshot when it is served',
    load: () => import('./cases/memory-and-start.ts'),
  },
  {
    name: 'fairness',
    about: 'calls with a key and pages of others while visitors ask for more than the service can do',
    load: () => import('./cases/fairness.ts'),
  },
  {
    name: 'event-loop',
    about: 'turns of the event loop of the demo under load',
    load: () => import('./cases/event-loop.ts'),
  },
];
