import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../src/base/times.ts';
import { icalendar } from '../../src/doors/web/feeds/icalendar.ts';
import { emptyBatch } from '../../src/venues/observations.ts';
import { type Rest, startRest } from '../rest/rest-service.ts';
import { contract, notice } from './made.ts';

const FEEDS = ['/listings.ics', '/listings.atom'];

/** The lines, unfolded. */
function unfolded(text: string): string[] {
  return text.replaceAll('\r\n ', '').split('\r\n');
}

/** Checks that elements are closed in order: enough for a document without comments and CDATA sections. */
function assertWellFormed(xml: string): void {
  const open: string[] = [];
  for (const [, slash, name, , isEmpty] of xml.matchAll(/<(\/?)([A-Za-z][\w:-]*)((?:\s[^<>]*?)?)(\/?)>/g)) {
    if (slash) assert.equal(open.pop(), name);
    else if (!isEmpty) open.push(name ?? '');
  }
  assert.deepEqual(open, []);
  assert.doesNotMatch(xml.replaceAll(/&(?:amp|lt|gt|quot);/g, ''), /&/);
}

suite('feeds of the calendar', () => {
  let rest: Rest;
  const get = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(`${rest.service.baseUrl}${path}`, init);
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  };

  before(async () => {
    rest = await startRest();
    const { service, clock } = rest;
    const [collector] = service.collectors;
    assert.ok(collector);
    const startMs = clock.nowMs();
    const show = (batch: Partial<ReturnType<typeof emptyBatch>>) =>
      service
        .collectorOptions(collector.venue)
        .accept(collector.venue, { ...emptyBatch(), ...batch }, clock.nowMs(), collector.contracts);
    const publish = async () => {
      clock.advanceMs(1000);
      await service.listings.publish(clock.nowMs());
    };
    const known = [
      contract('SOON', { status: 'preopen', listedAtMs: startMs + DAY_MS }),
      contract('UNDATED', { status: 'preopen' }),
      contract('GOING', { status: 'delisting', delistsAtMs: startMs + 2 * DAY_MS }),
    ];
    show({ contractList: { part: 'own', contracts: known } });
    const announced = notice('a&b<c>', clock.nowMs(), 'Binance Will List QUOTED Perpetual', null);
    show({ announcements: [announced] });
    await publish();
    clock.advanceMs(16 * MINUTE_MS);
    show({ contractList: { part: 'own', contracts: [...known, contract('FRESH', { status: 'preopen' })] } });
    await publish();
  });
  after(() => rest.stop());

  test('the iCalendar feed needs no key and has the dated rows of 900 s ago', async () => {
    const { status, headers, text } = await get('/listings.ics');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/calendar; charset=utf-8');
    assert.ok(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n') && text.endsWith('END:VCALENDAR\r\n'));
    for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
    const lines = unfolded(text);
    assert.ok(lines.includes('SUMMARY:Binance lists SOON-USDT'));
    assert.ok(lines.includes('SUMMARY:Binance delists GOING-USDT'));
    assert.doesNotMatch(text, /UNDATED|QUOTED|FRESH-USDT/, 'no date, or not known 900 s ago');
    const count = (name: string) => lines.filter((line) => line.startsWith(name)).length;
    for (const name of ['END:VEVENT', 'UID:', 'DTSTAMP:', 'DTSTART:', 'SUMMARY:', 'STATUS:CONFIRMED'])
      assert.equal(count(name), count('BEGIN:VEVENT'), name);
    const ids = lines.filter((line) => line.startsWith('UID:'));
    assert.equal(new Set(ids).size, ids.length);
    assert.match(lines.find((line) => line.startsWith('DTSTART:')) ?? '', /^DTSTART:\d{8}T\d{6}Z$/);
  });

  test('the Atom feed has all rows of 900 s ago, newest detected first', async () => {
    const { status, headers, text } = await get('/listings.atom');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    assertWellFormed(text);
    for (const name of ['SOON', 'UNDATED', 'GOING', 'QUOTED']) assert.ok(text.includes(`${name}-USDT`), name);
    assert.doesNotMatch(text, /FRESH/);
    assert.ok(text.includes('href="https://venue.example/a&amp;b&lt;c&gt;"'));
    const found = [...text.matchAll(/<published>([^<]+)</g)].map(([, time]) => Date.parse(time ?? ''));
    assert.ok(found.length > 3);
    assert.deepEqual(
      found,
      found.toSorted((a, b) => b - a),
    );
    const ids = [...text.matchAll(/<entry>\s*<id>([^<]+)</g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, found.length);
  });

  test('the filters of the endpoint work', async () => {
    for (const path of FEEDS) {
      const delistings = await get(`${path}?type=delisting&coin=going,soon`);
      assert.ok(delistings.text.includes('GOING-USDT') && !delistings.text.includes('SOON-USDT'), path);
      const none = await get(`${path}?exchange=OKX&coin=GOING`);
      assert.equal(none.status, 200);
      assert.ok(!none.text.includes('GOING-USDT'), path);
      const near = await get(`${path}?days_ahead=1&coin=SOON,GOING`);
      assert.ok(near.text.includes('SOON-USDT') && !near.text.includes('GOING-USDT'), path);
    }
  });

  test('an unknown filter value is a 400 that names it', async () => {
    for (const path of FEEDS) {
      const { status, headers, text } = await get(`${path}?type=both`);
      assert.equal(status, 400);
      assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
      assert.match(text, /\\"type\\"/);
    }
  });

  test('an unknown venue is a 404 with suggestions', async () => {
    const { status, text } = await get('/listings.ics?exchange=binance');
    assert.equal(status, 404);
    assert.deepEqual(JSON.parse(text).suggestions[0], 'Binance');
  });

  test('unchanged rows are a 304; HEAD has no body; other methods are 405', async () => {
    for (const path of FEEDS) {
      const first = await get(path, { headers: { 'accept-encoding': 'identity' } });
      const again = await get(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
      assert.deepEqual([again.status, again.text], [304, '']);
      rest.clock.advanceMs(MINUTE_MS);
      await rest.service.listings.publish(rest.clock.nowMs());
      const head = await get(path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
      assert.deepEqual([head.status, head.text], [200, '']);
      assert.equal(head.headers.get('etag'), first.headers.get('etag'), 'a minute later, the same rows');
      const post = await get(path, { method: 'POST' });
      assert.equal(post.status, 405);
      assert.equal(post.headers.get('allow'), 'GET, HEAD');
    }
  });

  test('texts are escaped and long lines folded between characters', () => {
    const text = icalendar([
      {
        id: '1@host',
        exchange: 'A,B',
        kind: 'listing',
        title: `ü;\\${'é'.repeat(80)}`,
        text: 'one\ntwo',
        link: 'https://venue.example/x',
        effectiveAt: '2026-11-01T08:00:00.500Z',
        detectedAt: '2026-10-01T08:00:00Z',
        isCancelled: true,
      },
    ]);
    const lines = unfolded(text);
    assert.ok(lines.includes(`SUMMARY:ü\\;\\\\${'é'.repeat(80)}`));
    assert.ok(lines.includes('DESCRIPTION:one\\ntwo'));
    assert.ok(lines.includes('CATEGORIES:A\\,B,listing'));
    assert.ok(lines.includes('DTSTART:20261101T080000Z'));
    assert.ok(lines.includes('STATUS:CANCELLED'));
    for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75);
  });
});
