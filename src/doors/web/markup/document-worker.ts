import { parentPort, workerData } from 'node:worker_threads';
import { documentHtml } from './document-html.ts';

/** The thread's side of document-thread.ts: replies with the markup of the text. */
const text: string = workerData;
parentPort?.postMessage(documentHtml(text).markup);
