import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

interface Asset {
  type: string;
  source: Buffer;
  plain(): Promise<Buffer>;
  gzip(): Promise<Buffer>;
  br(): Promise<Buffer>;
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

/** Everything in the client folder. Browser code is TypeScript too: its types are taken out before it is sent. */
function readAssets(): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const file of readdirSync(FOLDER)) {
    const source = readFileSync(join(FOLDER, file));
    if (file.endsWith('.css')) assets.set(file, asset('css', source));
    else if (file.endsWith('.ts'))
      assets.set(file.replace(/\.ts$/, '.js'), asset('js', source, withoutTypes));
  }
  const modules = dirname(dirname(createRequire(import.meta.url).resolve('uplot/package.json')));
  for (const [name, file] of Object.entries(PACKAGE_FILES)) {
    assets.set(name, asset(name.endsWith('.css') ? 'css' : 'js', readFileSync(join(modules, file))));
  }
  return assets;
}

/** Its forms are made when a browser first asks for them, not by every process at its start. */
function asset(kind: string, source: Buffer, prepare = (text: Buffer) => text): Asset {
  const plain = once(async () => prepare(source));
  return {
    type: TYPES[kind] ?? 'text/plain',
    source,
    plain,
    gzip: once(async () => promisify(gzip)(await plain())),
    br: once(async () => promisify(brotliCompress)(await plain())),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** Node warns that this function is new. Nothing else can warn while it runs, and operators need not read it. */
function withoutTypes(text: Buffer): Buffer {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return Buffer.from(stripTypeScriptTypes(text.toString()));
  } finally {
    process.emitWarning = emitWarning;
  }
}

const ASSETS = readAssets();
/** One name for this version of all assets, so that browsers may keep them for ever. */
const VERSION = createHash('sha256')
  .update([...ASSETS.values()].map((one) => one.source.toString('base64')).join())
  .digest('base64url')
  .slice(0, 10);

export function assetPath(name: string): string {
  if (!ASSETS.has(name)) throw new Error(`there is no asset ${name}`);
  return `/assets/${VERSION}/${name}`;
}

export function serveAssets(server: FastifyInstance): void {
  for (const [name, { type, ...forms }] of ASSETS) {
    server.get(assetPath(name), async (request, reply) => {
      const accepted = String(request.headers['accept-encoding'] ?? '');
      const encoding = accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : null;
      if (encoding !== null) reply.header('content-encoding', encoding);
      return reply
        .headers({
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'Accept-Encoding',
          'x-content-type-options': 'nosniff',
        })
        .send(await forms[encoding ?? 'plain']());
    });
  }
}
