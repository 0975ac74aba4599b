import type { BackupProgress } from '../../storage/backup/backup.ts';
import { redraw } from './progress-bar.ts';

const BAR_WIDTH = 30;
const REDRAW_EVERY_MS = 100;

export function rowProgressLine({ table, rows, totalRows }: BackupProgress): string {
  const share = totalRows === 0 ? 1 : rows / totalRows;
  const filled = Math.floor(share * BAR_WIDTH);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
  const counted = `${rows.toLocaleString('en-US')} of ${totalRows.toLocaleString('en-US')} rows`;
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${counted}  ${table}`.trimEnd();
}

/** Draws a progress bar on a terminal; writes nothing elsewhere, such as to a log. */
export function rowProgress(out: {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}): (progress: BackupProgress) => void {
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let drawn = 0;
  return (progress) => {
    const nowMs = performance.now();
    const isLast = progress.rows === progress.totalRows;
    if (!out.isTTY || (!isLast && nowMs - drawnAtMs < REDRAW_EVERY_MS)) return;
    drawnAtMs = nowMs;
    out.write(redraw([rowProgressLine(progress)], drawn, out.columns ?? 80));
    drawn = 1;
  };
}
