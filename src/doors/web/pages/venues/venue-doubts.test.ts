import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { VenueAccuracy } from '../../../../engines/audit/report.ts';
import {
  countsHtml,
  countsMarkdown,
  noticesHtml,
  noticesMarkdown,
  unknownHtml,
  unknownMarkdown,
} from './venue-doubts.ts';

const NOTICES: VenueAccuracy['notices'] = [
  {
    ...{ kind: 'counted_twice', field: 'volume_24h_usdt', sinceMs: Date.UTC(2026, 10, 14, 9) },
    evidence: '37 of 37 contracts, 296 different values',
  },
];

suite('what is doubtful about a venue, on its page', () => {
  test('each notice of the audit with its numbers and its time', () => {
    const text =
      'Notice: 24 h volume is never odd in the venue’s own steps: the venue counts both sides, and twice the truth is published (37 of 37 contracts, 296 different values), since 2026-11-14T09:00:00Z.';
    assert.equal(String(noticesHtml(NOTICES)), `<p class="say">${text}</p>`);
    assert.ok(noticesMarkdown(NOTICES).includes('37 of 37 contracts, 296 different values'));
    assert.equal(String(noticesHtml([])), '');
  });

  test('what open interest and volume count, with source and date', () => {
    const texts = [
      {
        figure: 'openInterest' as const,
        sentence: 'Open interest counts one side. Odd in 2 of 3 rows.',
        ...{ date: '2026-09-11', source: 'https://example.org/rows' },
      },
    ];
    const link = '<a rel="noopener nofollow" href="https://example.org/rows">Source, 2026-09-11</a>';
    assert.ok(String(countsHtml(texts)).includes(`<p class="say">${texts[0]?.sentence} ${link}</p>`));
    assert.equal(
      countsMarkdown(texts),
      '\n## One side or both\n\n- Open interest counts one side. Odd in 2 of 3 rows. [Source, 2026-09-11](https://example.org/rows)\n',
    );
    assert.deepEqual([countsHtml([]), countsMarkdown([])], [null, '']);
  });

  test('what no source confirms; nothing where all is confirmed', () => {
    const sentence = 'whether open interest counts one side or both';
    assert.match(String(unknownHtml([sentence])), new RegExp(`<p class="say">${sentence}</p>`));
    assert.equal(unknownMarkdown([sentence]), `\n## What no source confirms\n\n- ${sentence}\n`);
    assert.deepEqual([unknownHtml([]), unknownMarkdown([])], [null, '']);
  });
});
