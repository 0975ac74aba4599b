import { MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import type { BackfillProgress } from '../../history/settlements/fetching/backfill.ts';

const BAR_WIDTH = 20;

/** One line per venue: bar, contracts done, prints, prints a second, time left. */
export function progressLines(all: readonly BackfillProgress[], elapsedMs: number): string[] {
  const width = Math.max(...all.map(({ exchange }) => exchange.length));
  return all.map((one) => {
    const share = one.daysWanted === 0 ? 1 : 1 - one.daysLeft / one.daysWanted;
    const filled = Math.floor(share * BAR_WIDTH);
    const perSecond = Math.round((one.prints * SECOND_MS) / Math.max(elapsedMs, 1));
    return [
      one.exchange.padEnd(width),
      `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`,
      `${Math.floor(share * 100)} %`.padStart(5),
      `${one.contractsDone}/${one.contracts} contracts`,
      `${one.prints.toLocaleString('en-US')} prints`,
      `${perSecond.toLocaleString('en-US')}/s`,
      timeLeft(one, share, elapsedMs),
      ...(one.failures > 0 ? [`${one.failures} failed calls`] : []),
    ].join('  ');
  });
}

function timeLeft({ daysLeft }: BackfillProgress, share: number, elapsedMs: number): string {
  if (daysLeft <= 0) return 'done';
  if (share <= 0) return 'time left unknown';
  const leftMs = (elapsedMs * (1 - share)) / share;
  return leftMs < 2 * MINUTE_MS
    ? `${Math.ceil(leftMs / SECOND_MS)} s left`
    : `${Math.ceil(leftMs / MINUTE_MS)} min left`;
}

/** The terminal output that replaces the lines drawn before. */
export function redraw(lines: readonly string[], linesBefore: number, columns: number): string {
  const up = linesBefore === 0 ? '' : `\u001B[${linesBefore}A`;
  return `${up}${lines.map((line) => `\u001B[2K${line.slice(0, Math.max(columns - 1, 20))}\n`).join('')}`;
}
