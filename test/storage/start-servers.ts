import { startPostgres, startRedis } from '../support/servers.ts';

/** Starts both servers and stops neither, as a test file that forgets to does. */
for (const server of [await startPostgres(), await startRedis()])
  console.log(typeof server === 'string' ? server : 'started');
