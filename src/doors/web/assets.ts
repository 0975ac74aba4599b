import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

interface Asset {
  type: string;
  plain: Buffer;
  gzip: Buffer;
  br: Buffer;
}

const FOLDER = join(import.meta.dirname, 'client');
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** Files of packages that pages load as they are. */
const PACKAGE_FILES: Readonly<Record<string, string>> = {
  'uplot.js': 'uplot/dist/uPlot.iife.min.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
};

/** Everything in the client folder, ready to send. Browser code is TypeScript too: its types are taken out here. */
function readAssets(): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const file of readdirSync(FOLDER)) {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    if (file.endsWith('.css')) assets.set(file, asset('css', text));
    else if (file.endsWith('.ts'))
      assets.set(file.replace(/\.ts$/, '.js'), asset('js', stripTypeScriptTypes(text)));
  }
  const modules = dirname(dirname(createRequire(import.meta.url).resolve('uplot/package.json')));
  for (const [name, file] of Object.entries(PACKAGE_FILES)) {
    assets.set(name, asset(name.endsWith('.css') ? 'css' : 'js', readFileSync(join(modules, file), 'utf8')));
  }
  return assets;
}

function asset(kind: string, text: string): Asset {
  const plain = Buffer.from(text);
  return { type: TYPES[kind] ?? 'text/plain', plain, gzip: gzipSync(plain), br: brotliCompressSync(plain) };
}

const ASSETS = readAssets();
/** One name for this version of all assets, so that browsers may keep them for ever. */
const VERSION = createHash('sha256')
  .update([...ASSETS.values()].map((one) => one.plain.toString('base64')).join())
  .digest('base64url')
  .slice(0, 10);

export function assetPath(name: string): string {
  if (!ASSETS.has(name)) throw new Error(`there is no asset ${name}`);
  return `/assets/${VERSION}/${name}`;
}

export function serveAssets(server: FastifyInstance): void {
  for (const [name, { type, plain, gzip, br }] of ASSETS) {
    server.get(assetPath(name), async (request, reply) => {
      const accepted = String(request.headers['accept-encoding'] ?? '');
      const [encoding, body] = accepted.includes('br')
        ? ['br', br]
        : accepted.includes('gzip')
          ? ['gzip', gzip]
          : [null, plain];
      if (encoding !== null) reply.header('content-encoding', encoding);
      return reply
        .headers({
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'Accept-Encoding',
          'x-content-type-options': 'nosniff',
        })
        .send(body);
    });
  }
}
