import { Worker } from 'node:worker_threads';
import { Html } from './html.ts';

/**
 * Renders Markdown of the repository in a thread that ends afterwards. V8 compiles the expressions of the Markdown parser when
 * they are first used, each in one piece: up to 40 ms, for which requests would wait if it were done here.
 */
export function documentInThread(text: string): Promise<Html> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./document-worker.ts', import.meta.url), {
      name: 'document',
      workerData: text,
      // It makes a tenth of a megabyte of text.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    // A service that stops does not wait for it.
    worker.unref();
    worker.once('message', (markup: unknown) => resolve(new Html(String(markup))));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that renders documents ended without a reply')));
  });
}
