import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { REFERENCE_BUNDLE } from '../src/doors/web/pages/texts/reference.ts';

/**
 * `npm run reference` copies the bundle of the interactive reference from its package into the tree, compressed. The
 * package and what it depends on are 300 MB, of which the service needs this one file; so it is installed for
 * development only.
 */
export function packagedBundle(): Buffer {
  const styles = fileURLToPath(import.meta.resolve('@scalar/api-reference/style.css'));
  return readFileSync(join(dirname(styles), 'browser/standalone.js'));
}

if (import.meta.main) {
  const bundle = packagedBundle();
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  mkdirSync(dirname(REFERENCE_BUNDLE), { recursive: true });
  writeFileSync(REFERENCE_BUNDLE, brotliCompressSync(bundle, { params }));
}
