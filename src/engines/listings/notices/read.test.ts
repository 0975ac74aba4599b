import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { LISTINGS, PUBLISHED_AT_MS, type Wording } from '../../../../test/listings/wordings.ts';
import { CHANGES, DELISTINGS, MORE_DELISTINGS } from '../../../../test/listings/wordings-delistings.ts';
import { OTHERS } from '../../../../test/listings/wordings-other.ts';
import { isoTime } from '../../../base/times.ts';
import { type NoticeEvent, readNotice } from './read.ts';

const ALL = [...LISTINGS, ...DELISTINGS, ...MORE_DELISTINGS, ...CHANGES, ...OTHERS];

function eventText(event: NoticeEvent): string {
  const when = event.isCancelled
    ? 'cancelled'
    : event.isDateWithdrawn
      ? 'withdrawn'
      : event.effectiveAtMs === null
        ? '?'
        : `${isoTime(event.effectiveAtMs).slice(0, 16)}Z`;
  return `${event.kind === 'listing' ? 'list' : 'delist'} ${event.base}-${event.quote ?? '*'} ${when}`;
}

function readingOf({ title, body, category }: Wording): readonly string[] | string {
  const reading = readNotice({
    title,
    body: body ?? null,
    category: category ?? '',
    publishedAtMs: PUBLISHED_AT_MS,
  });
  return reading.outcome === 'read' ? reading.events.map(eventText) : reading.outcome;
}

suite('reading notices', () => {
  test('the table has at least 120 wordings, none twice', () => {
    const texts = ALL.map(({ title, body }) => `${title}\n${body ?? ''}`);
    assert.equal(new Set(texts).size, texts.length);
    assert.ok(texts.length >= 120, `${texts.length} wordings`);
  });

  for (const [i, wording] of ALL.entries()) {
    test(`${i + 1} ${wording.venue}: ${wording.title}`, () => {
      assert.deepEqual(readingOf(wording), wording.reads);
    });
  }

  test('no text makes it throw', () => {
    const pieces = [
      'ABCUSDT',
      ' perpetual',
      ' delist',
      ' list ',
      '2026-11-01 08:00 (UTC)',
      ', ',
      ' and ',
      '<p>',
      '&#39;',
      '(',
      '\n',
      '🙂',
    ];
    const text = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 40 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, fc.option(text), text, (title, body, category) => {
        const reading = readNotice({ title, body, category, publishedAtMs: PUBLISHED_AT_MS });
        assert.ok(reading.outcome !== 'read' || reading.events.every((event) => event.base !== ''));
      }),
    );
  });

  test('only the beginning of a very long notice is read', () => {
    for (const piece of ['A1, ', 'AB/', 'ABC and ', '<', 'A_', '2026-11-01 08:00 ', '1']) {
      const body = `It opens at 2026-10-29 08:00 (UTC).\n${piece.repeat(200_000 / piece.length)}`;
      const reading = readingOf({ venue: '', title: 'New listing: ZOKUSDT perpetual', body, reads: [] });
      assert.ok(Array.isArray(reading) && reading.length === 1, piece);
    }
  });
});
