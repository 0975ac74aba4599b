import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LakeFolder } from './files/folder.ts';
import { LakeError } from './files/manifest.ts';
import type { LakeStore } from './files/store.ts';

/** Opens the lake at a path or file URL; by default the folder `lake` of the data. */
export function openLake({ lakeUrl, dataDir }: { lakeUrl: string; dataDir: string }): LakeStore {
  if (lakeUrl === '') return new LakeFolder(join(dataDir, 'lake'));
  if (lakeUrl.startsWith('file:')) return new LakeFolder(fileURLToPath(lakeUrl));
  if (/^[a-z][a-z0-9+.-]+:/i.test(lakeUrl))
    throw new LakeError(`LAKE_URL takes a folder or a file URL; it is "${lakeUrl}"`);
  return new LakeFolder(resolve(lakeUrl));
}
