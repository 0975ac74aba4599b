import { suite, test } from 'node:test';
import { missingServers } from './deployment.ts';
import { runKills } from './kills.ts';

const KILLS = 20;

suite('killing any process at random, under load', { skip: await missingServers() }, () => {
  test(`${KILLS} kills lose no settled print, no listing row and no counted request, and no client sees an error`, async () => {
    await runKills({ kills: KILLS, seed: 20, withServers: false });
  });
});
