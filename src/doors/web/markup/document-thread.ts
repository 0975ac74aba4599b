import { Worker } from 'node:worker_threads';
import type { DocumentTexts } from './document-worker.ts';
import { Html } from './html.ts';

/**
 * Renders Markdown of the repository in a thread that ends afterwards. V8 compiles the expressions of the Markdown parser when
 * they are first used, each in one piece: up to 40 ms, for which requests would wait if it were done here.
 */
export function documentsInThread(texts: DocumentTexts): Promise<Html[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./document-worker.ts', import.meta.url), {
      name: 'documents',
      workerData: texts,
      // It makes a megabyte of text.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    // A service that stops does not wait for it.
    worker.unref();
    worker.once('message', (rendered: unknown) => {
      if (Array.isArray(rendered) && rendered.length === texts.length)
        resolve(rendered.map((markup) => new Html(String(markup))));
      else reject(new Error('the thread that renders documents gave an unexpected reply'));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that renders documents ended without a reply')));
  });
}
