import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Enough for the data of a run; small enough to fill quickly. */
const SMALL = '192m';
const CHUNK = Buffer.alloc(1024 * 1024);
const PAGE = Buffer.alloc(4096);

/** The folder of the data: a file system of its own where that is allowed, so that it can be filled. */
export class Disk {
  readonly folder: string;
  /** Why the disk cannot be filled; null if it can. */
  readonly cannotFill: string | null;
  readonly #ballast: string;

  constructor(size = SMALL) {
    this.folder = mkdtempSync(join(tmpdir(), 'perpwire-chaos-'));
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
    if (this.cannotFill === null) execFileSync('umount', ['--lazy', this.folder], { stdio: 'ignore' });
    rmSync(this.folder, { recursive: true, force: true });
  }
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
