import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync } from 'node:fs';
import { join } from 'node:path';
import { HAS_TWO_CORES } from '../harness.ts';
import { SIZE } from '../size.ts';

/** The measured servers share one core; the load generator has the other. */
export type Core = 'servers' | 'load';

function hasTaskset(): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, 'taskset'));
      return true;
    } catch {
      return false;
    }
  });
}

export const IS_PINNED = HAS_TWO_CORES && hasTaskset();
/** Prefix of a command that makes load. */
export const LOAD_CORE: readonly string[] = IS_PINNED ? ['taskset', '-c', '1'] : [];

/** Runs a script of this folder in a separate process, at the same size and pinned to its core if taskset is installed. */
export class PinnedProcess {
  readonly #child: ChildProcess;

  constructor(core: Core, script: string, args: readonly string[] = []) {
    const command = [process.execPath, join(import.meta.dirname, script), ...args, `--${SIZE}`];
    const pinned = IS_PINNED ? ['taskset', '-c', core === 'servers' ? '0' : '1', ...command] : command;
    this.#child = spawn(pinned[0] ?? '', pinned.slice(1), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  }

  /** Sends a message, if given, and resolves to the next message of the process. */
  ask<Reply>(message?: unknown): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`a benchmark process ended with ${code}`));
      this.#child.once('exit', onExit);
      this.#child.once('message', (reply) => {
        this.#child.off('exit', onExit);
        resolve(reply as Reply);
      });
      if (message !== undefined) this.#child.send(message as object);
    });
  }

  stop(): void {
    this.#child.kill();
  }
}
