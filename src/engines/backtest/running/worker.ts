import { parentPort, workerData } from 'node:worker_threads';
import { openScratchFile } from '../../../storage/scratch-file.ts';
import { type BacktestHost, LocalBacktest } from './host.ts';
import type { HostCall, HostReply } from './thread.ts';

/** The other side of BacktestThread. */
const host: BacktestHost = new LocalBacktest(() => openScratchFile(String(workerData)));

let answered: Promise<void> = Promise.resolve();
parentPort?.on('message', (call: HostCall) => {
  answered = answered.then(async () => parentPort?.postMessage(await replyTo(call)));
});

async function replyTo({ method, args }: HostCall): Promise<HostReply> {
  const call = host[method] as (...args: unknown[]) => Promise<unknown>;
  try {
    return { result: await call.apply(host, args) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
