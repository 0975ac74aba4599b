import { parentPort, workerData } from 'node:worker_threads';
import { documentHtml } from './document-html.ts';

/** The thread's side of document-thread.ts: replies with the markup of each text. */
export type DocumentTexts = readonly string[];

const texts: DocumentTexts = workerData;
parentPort?.postMessage(texts.map((text) => documentHtml(text).markup));
