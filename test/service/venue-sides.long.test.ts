import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { perpwire } from '../support/process.ts';
import { type Running, runService, until } from '../support/service.ts';

/** The database of the service is that of `--data-dir`. */
suite('perpwire venues sides, while the service runs', {
  skip: process.env.PERPWIRE_TEST_BACKEND !== undefined,
}, () => {
  let running: Running;
  before(async () => {
    running = await runService({ venues: ['apex', 'standx'], coins: 6, isCollecting: true });
  });
  after(() => running.stop());

  const sides = async (...args: string[]) =>
    await perpwire(['venues', 'sides', ...args, '--data-dir', running.dataDir]);
  /** Open interest of BTC over that of the other venue, whose counts nobody changes. */
  const interests = async () => {
    const { body } = await running.get('/api/v1/funding?coin=BTC&fields=exchange,symbol,open_interest_usdt', {
      plan: 'developer',
    });
    const { data = [] } = body as { data?: { exchange: string; open_interest_usdt: number | null }[] };
    return new Map(data.map((row) => [row.exchange, row.open_interest_usdt]));
  };
  const isPublished = async (exchange: string, isExpected: (interest: number) => boolean) => {
    const interest = (await interests()).get(exchange);
    return interest !== null && interest !== undefined && isExpected(interest);
  };

  test('halves the open interest of a venue without a restart, and says so', async () => {
    assert.match((await sides('apex')).stdout, /^ApeX +open interest +unknown +- +as it comes$/m);
    await until(() => isPublished('ApeX', () => true));
    const before = (await interests()).get('ApeX') ?? 0;

    const { stdout, code } = await sides('apex', '--counts', 'both');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ApeX +open interest +unknown +both sides, 20\S+ +half of it$/m);
    assert.match(stdout, /^ApeX +24 h volume +one side +- +as it comes$/m);
    assert.match(stdout, /Running collectors take it within ten seconds/);
    // The simulated market moves by a few percent only.
    await until(() => isPublished('ApeX', (interest) => interest < 0.7 * before));
    const admin = await (await fetch(`${running.service.adminUrl}/venues`)).json();
    const apex = (admin as { slug: string; chosenSides?: object }[]).find(({ slug }) => slug === 'apex');
    assert.deepEqual(apex?.chosenSides, { openInterest: 'both sides' });

    await sides('apex', '--counts', 'release');
    await until(() => isPublished('ApeX', (interest) => interest > 0.7 * before));
  });

  test('publishes a figure as it comes that the release halves', async () => {
    await until(() => isPublished('StandX', () => true));
    const before = (await interests()).get('StandX') ?? 0;
    await sides('standx', '--counts', 'one');
    await until(() => isPublished('StandX', (interest) => interest > 1.5 * before));
  });
});
