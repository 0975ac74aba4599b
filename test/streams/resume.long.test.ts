import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Deployment, type Member, missingServers, untilServing } from '../cluster/deployment.ts';
import { until } from '../support/until.ts';
import { Followed, type OpenStream, openStream } from './client.ts';

const skip = await missingServers();
const IDENTITY = ['exchange', 'venue_symbol'];
const PATH = '/api/v1/stream/funding?limit=100&sort=apr_desc';

suite('streams of several processes', { skip }, () => {
  let deployment: Deployment;
  let apis: Member[];
  let key = '';

  before(async () => {
    deployment = await Deployment.start({ venues: ['binance', 'okx', 'bybit'], coins: 15 });
    await Promise.all((['collector', 'api', 'api'] as const).map((role) => deployment.add(role)));
    apis = deployment.members.filter(({ role }) => role === 'api');
    key = await deployment.key('pro');
    await Promise.all(apis.map((api) => untilServing(api, key)));
  });
  after(() => deployment.stop());

  /** Applies the events that have come. `Followed` throws if one brings what the client had already. */
  const apply = (stream: OpenStream, followed: Followed) => {
    for (const event of stream.events.splice(0)) followed.apply(event);
  };

  test('after a kill the client resumes at another process and sees each change once', async () => {
    const [first, second] = apis as [Member, Member];
    const stream = await openStream(`${first.baseUrl}${PATH}`, key);
    const followed = new Followed(IDENTITY);
    const until3 = async (one: OpenStream) => {
      const startAsOf = followed.asOf;
      let changes = 0;
      await until(() => {
        changes += one.events.filter(({ event }) => event === 'change').length;
        apply(one, followed);
        return changes >= 3 && followed.asOf > startAsOf;
      }, 'three changes');
    };
    await until3(stream);
    await deployment.kill(first);
    await until(() => stream.isClosed(), 'the cut connection');
    apply(stream, followed);
    assert.equal(followed.snapshots, 1);

    const resumed = await openStream(`${second.baseUrl}${PATH}`, key, { 'last-event-id': followed.asOf });
    await until3(resumed);
    assert.equal(followed.snapshots, 1, 'resumed without a snapshot');

    // A client that starts now has the same rows at the same time.
    const fresh = await openStream(`${second.baseUrl}${PATH}`, key);
    const other = new Followed(IDENTITY);
    await until(() => {
      apply(fresh, other);
      for (const event of resumed.events.splice(0)) {
        if (followed.asOf === other.asOf) break;
        followed.apply(event);
      }
      return followed.asOf !== '' && followed.asOf === other.asOf;
    }, 'the same as_of at both clients');
    assert.deepEqual([...followed.rows].sort(), [...other.rows].sort());
    resumed.close();
    fresh.close();
  });
});
