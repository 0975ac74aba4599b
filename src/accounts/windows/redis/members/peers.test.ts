import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CountedRequests, parseRequestReport } from '../counted-requests.ts';
import { parsePeer } from './peers.ts';

describe('parseRequestReport', () => {
  test('reads what another process reported, seconds rounded up', () => {
    const counted = new CountedRequests();
    for (const atMs of [1_000, 1_001, 1_900]) counted.add('slot', 1, atMs);
    assert.deepEqual(parseRequestReport(JSON.stringify(counted.report(2_000))), { slot: { 1: 1, 2: 2 } });
  });

  const bad: [string, unknown][] = [
    ['nothing', null],
    ['what is no JSON', '{'],
    ['a list', '[]'],
    ['a number', '7'],
    ['a slot that is a list', '{"slot":[1]}'],
    ['a slot that is null', '{"slot":null}'],
    ['a second that is no number', '{"slot":{"soon":1}}'],
    ['a negative second', '{"slot":{"-5":1}}'],
    ['a count that is text', '{"slot":{"5":"1"}}'],
    ['a count that is negative', '{"slot":{"5":-1}}'],
    ['a count that is a fraction', '{"slot":{"5":0.5}}'],
  ];
  for (const [name, text] of bad) test(`refuses ${name}`, () => assert.equal(parseRequestReport(text), null));
});

describe('parsePeer', () => {
  const row = { process_id: 'a', standing: 'apart', membership: 'epoch/a,b', takes: '{"slot":{"5":1}}' };

  test('reads a process that counts locally', () =>
    assert.deepEqual(parsePeer(row), {
      processId: 'a',
      mode: 'local',
      membership: 'epoch/a,b',
      report: { slot: { 5: 1 } },
      servers: ['first'],
      layoutVersion: 0,
    }));
  test('reads the servers and the layout, and the process of a row of another server', () => {
    const peer = parsePeer({ ...row, process_id: 'a@b:6379/0', servers: '["first","b:6379/0"]', layout: 3 });
    assert.deepEqual([peer.processId, peer.servers, peer.layoutVersion], ['a', ['first', 'b:6379/0'], 3]);
  });
  for (const servers of ['', '[]', '{}', '[1]', 'x'])
    test(`takes the servers "${servers}" for the first one`, () =>
      assert.deepEqual(parsePeer({ ...row, servers }).servers, ['first']));
  test('keeps a process whose report is unreadable', () =>
    assert.deepEqual(parsePeer({ ...row, takes: 'x' }), { ...parsePeer(row), report: null }));
  test('keeps a process whose mode is unknown', () =>
    assert.deepEqual(parsePeer({ ...row, standing: 'later' }), { ...parsePeer(row), mode: null }));
  test('does not take an inherited property name for a mode', () =>
    assert.equal(parsePeer({ ...row, standing: 'toString' }).mode, null));
});
