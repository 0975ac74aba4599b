import type { LakeStore } from '../../lake/files/store.ts';
import { pruneLake } from '../../lake/prune.ts';
import { verifyLake } from '../../lake/verify.ts';

export async function verify(store: LakeStore): Promise<void> {
  const { files, bytes, days, faults, unnamed } = await verifyLake(store);
  for (const { path, fault } of faults) console.error(`${path} is ${fault}`);
  if (unnamed.length > 0)
    console.log(
      `${unnamed.length} files are in no manifest, such as ${unnamed[0]}; perpwire lake prune deletes them`,
    );
  console.log(
    `${files.toLocaleString('en-US')} files of ${days.toLocaleString('en-US')} days, ${(bytes / 1e6).toFixed(1)} MB; the chain fits; ${faults.length === 0 ? 'no file is damaged' : `${faults.length} files are damaged`}`,
  );
  if (faults.length > 0) process.exitCode = 1;
}

export async function prune(store: LakeStore, beforeDay: string | null): Promise<void> {
  const gone = await pruneLake(store, beforeDay);
  console.log(`${gone.length.toLocaleString('en-US')} files deleted from ${store.where}`);
}
