import { flushCompileCache } from 'node:module';
import { heapGrowthFlag } from './heap-growth.ts';

/** Limits that V8 and glibc read only when a process begins. docs/running.md has the reasons. */
export interface MemoryLimits {
  /** Half of the space in which V8 allocates new objects. */
  semiSpaceMb: number;
  /** How much V8's heap may grow over what was alive after the last full collection. */
  heapGrowthPercent: number;
  /** Heaps of glibc's malloc; threads share them. */
  mallocArenas: number;
}

/** From this size on, glibc maps a buffer of its own and returns it to the system as soon as it is freed. */
const OWN_MAPPING_BYTES = 128 * 1024;
/** glibc returns the end of its heap to the system when this much of it is free. */
const FREE_END_BYTES = 1024 * 1024;

const SEMI_SPACE_FLAG = '--max-semi-space-size';
/**
 * A full collection leaves a page of new objects where it is if this share of it is alive, in percent, and copies the
 * objects of the others. V8's 70 copied megabytes while a snapshot was built: the longest pauses of the event loop.
 */
const KEPT_PAGE_FLAG = '--page-promotion-threshold=30';

interface ProcessStart {
  flags: string[];
  environment: Record<string, string | undefined>;
}

/** How to start a process with these limits; null if it already has them. Limits that the operator set are kept. */
export function limitedStart(
  { semiSpaceMb, heapGrowthPercent, mallocArenas }: MemoryLimits,
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ProcessStart | null {
  if (flags.some((flag) => flag.startsWith(SEMI_SPACE_FLAG))) return null;
  return {
    flags: [`${SEMI_SPACE_FLAG}=${semiSpaceMb}`, KEPT_PAGE_FLAG, heapGrowthFlag(heapGrowthPercent), ...flags],
    environment: {
      MALLOC_ARENA_MAX: String(mallocArenas),
      MALLOC_MMAP_THRESHOLD_: String(OWN_MAPPING_BYTES),
      MALLOC_TRIM_THRESHOLD_: String(FREE_END_BYTES),
      ...environment,
    },
  };
}

/** Starts the program again inside this process, with the same id and open files, unless it already has the limits. */
export function beginAgainWithLimits(
  limits: MemoryLimits,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  // Not on Windows. A parent that talks over a channel of Node's would lose it.
  if (!process.execve || process.channel) return;
  const start = limitedStart(limits, process.execArgv, environment);
  if (start === null) return;
  // Node stores it when a process ends, which this one does not. V8 has a cache for each set of flags.
  flushCompileCache();
  const { execPath, argv } = process;
  process.execve(execPath, [execPath, ...start.flags, ...argv.slice(1)], start.environment);
}
