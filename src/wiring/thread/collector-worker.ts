import '../../compile-cache.js';
import { collectInThread } from './worker.ts';

await collectInThread();
