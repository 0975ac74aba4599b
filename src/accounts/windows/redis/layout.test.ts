import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { BUCKET_COUNT, bucketOf, serversOfBuckets, slotOfWindows, windowsName } from './layout.ts';

const servers = ['first', '10.0.0.2:6379/0', '10.0.0.3:6379/0', '10.0.0.4:6379/0', '10.0.0.5:6379/0'];
const countOf = (list: readonly string[], server: string) => list.filter((one) => one === server).length;

suite('the layout of windows over Redis servers', () => {
  for (const count of [1, 2, 3, 5])
    test(`${count} servers get equal shares of the buckets, within a fifth`, () => {
      const all = serversOfBuckets(servers.slice(0, count));
      for (const server of servers.slice(0, count)) {
        const share = (countOf(all, server) / BUCKET_COUNT) * count;
        assert.ok(share > 0.8 && share < 1.2, `${server} has ${share} of its share`);
      }
    });

  test('slots spread evenly over the buckets', () => {
    const counts = new Map<number, number>();
    const count = BUCKET_COUNT * 100;
    for (let number = 0; number < count; number++) {
      const bucket = bucketOf(`acc_${number.toString(36)}/key/1`);
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    }
    assert.equal(counts.size, BUCKET_COUNT);
    assert.ok([...counts.values()].every((one) => one > 50 && one < 150));
  });

  test('a new server takes buckets, and none moves between the others', () => {
    const before = serversOfBuckets(servers.slice(0, 2));
    const after = serversOfBuckets(servers.slice(0, 3));
    const moved = after.filter((server, bucket) => server !== before[bucket]);
    assert.ok(moved.length > 0);
    assert.deepEqual(new Set(moved), new Set([servers[2]]));
  });

  test('the order of the list does not matter', () => {
    assert.deepEqual(serversOfBuckets(servers), serversOfBuckets(servers.toReversed()));
  });

  test('names of windows change with the layout and lead back to the slot', () => {
    assert.equal(windowsName('acc/key/1', 0), 'acc/key/1');
    assert.equal(windowsName('acc/key/1', 12), 'acc/key/1@12');
    for (const version of [0, 12])
      assert.equal(slotOfWindows(windowsName('acc/key/1', version)), 'acc/key/1');
  });
});
