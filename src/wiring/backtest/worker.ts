import { parentPort, workerData } from 'node:worker_threads';
import { fieldsOf, objectOf, text } from '../../base/parsing.ts';
import { openScratchFile } from '../../storage/scratch-file.ts';
import { runCall } from './calls.ts';
import { LocalBacktest } from './host.ts';
import { type HostReply, numberOfMessage } from './replies.ts';

/** The thread's side of thread.ts: runs each call in turn and replies to it. */
export interface WorkerFolder {
  folder: string;
}

const { folder } = objectOf<WorkerFolder>({ folder: text })(workerData, 'workerData');
const local = new LocalBacktest(() => openScratchFile(folder));

parentPort?.on('message', async (message: unknown) => {
  const number = numberOfMessage(message);
  // Without a number nobody waits for a reply.
  if (number === null) return;
  try {
    const { method, args } = fieldsOf(message);
    const { result, moved } = await runCall(local, { method, args });
    parentPort?.postMessage({ number, result } satisfies HostReply, moved);
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parentPort?.postMessage({ number, failure } satisfies HostReply);
  }
});
