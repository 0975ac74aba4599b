import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Stripping types and compiling take most of a start; the second start reads the result. Without write access it is off.
// The folder is in the environment, so that threads and processes that this one starts use it too.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/perpwire');
enableCompileCache();
