import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';

// Stripping types and compiling take most of a start; the second start reads the result. Without write access it is off.
// The folder is in the environment, so that threads and processes that this one starts use it too.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/perpwire');
enableCompileCache();

// An import such as './clock.ts' names its file and its kind. Node would look for the file, resolve links and read the
// package.json of every folder above it, which takes a fifth of the time to load a thousand modules.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL !== undefined
      ? { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});
