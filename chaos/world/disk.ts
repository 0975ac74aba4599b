import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Enough for the data of a run; small enough to fill quickly. */
const SMALL = '192m';
const CHUNK = Buffer.alloc(1024 * 1024);
const PAGE = Buffer.alloc(4096);

/** Followed by the id of the process, so that a later one knows whether it still runs. */
const PREFIX = 'perpwire-chaos-disk-';

/** The folder of the data: a file system of its own where that is allowed, so that it can be filled. */
export class Disk {
  readonly folder: string;
  /** Why the disk cannot be filled; null if it can. */
  readonly cannotFill: string | null;
  readonly #ballast: string;

  constructor(size = SMALL) {
    removeAbandonedDisks();
    this.folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
    this.#ballast = join(this.folder, 'ballast');
    this.cannotFill = mountFault(this.folder, size);
    process.once('exit', this.#onExit);
  }

  /** A run that ends early leaves no mounted folder behind. */
  readonly #onExit = (): void => this.remove();

  get isFull(): boolean {
    return existsSync(this.#ballast);
  }

  /** Fills the file system to its last page. */
  fill(): void {
    const file = openSync(this.#ballast, 'a');
    try {
      for (const bytes of [CHUNK, PAGE]) while (isWritten(file, bytes));
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  remove(): void {
    process.off('exit', this.#onExit);
    if (this.cannotFill === null) unmount(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Removes the folders of runs that were killed with SIGKILL, after which a process can remove nothing itself. */
export function removeAbandonedDisks(): void {
  for (const name of readdirSync(tmpdir())) {
    const processId = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(processId) || isRunning(processId)) continue;
    const folder = join(tmpdir(), name);
    try {
      unmount(folder);
    } catch {
      // It was not mounted, or another run is removing it as well.
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
}

function isWritten(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}

function mountFault(folder: string, size: string): string | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'perpwire-chaos', folder], {
      stdio: 'pipe',
    });
    return null;
  } catch {
    return 'a small file system cannot be mounted here (it needs root)';
  }
}
