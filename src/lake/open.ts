import { join, resolve } from 'node:path';
import { LakeFolder } from './files/folder.ts';
import type { LakeStore } from './files/store.ts';

/** Opens the lake of the settings; by default it is in the folder `lake` of the data. */
export function openLake({ lakeUrl, dataDir }: { lakeUrl: string | null; dataDir: string }): LakeStore {
  return new LakeFolder(resolve(lakeUrl ?? join(dataDir, 'lake')));
}
