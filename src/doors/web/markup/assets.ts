import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Body } from '../../http/answers/body.ts';
import { sendBody } from '../../http/answers/send-body.ts';
import { MARKS, markFile } from './icons/sprite.ts';

interface Asset {
  type: string;
  source: Buffer;
  /** Made at the first request: stripping types and compressing would delay the start of every process. */
  body: () => Body;
}

const FOLDER = join(import.meta.dirname, '../client');
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
};

/** The parts of the stylesheet, in the order of the cascade. They are served as one file, `style.css`. */
const STYLES = [
  'tokens',
  'base',
  'layout',
  'account-menu',
  'footer',
  'controls',
  'choices',
  'filters',
  'parts',
  'tables',
  'app',
  'matrix',
  'heat',
  'legend',
  'stats',
  'charts',
  'chips',
  'code',
  'states',
  'search',
  'picks',
  'arbitrage',
  'row-cards',
  'spreads',
  'coin',
  'stars',
  'home/hero',
  'home/boards',
  'pair',
  'depth',
  'account/side',
  'account/forms',
  'account/keys',
  'account/items',
  'account/alerts',
  'docs',
  'site/plans',
  'site/venues',
  'site/listings',
  'print',
];

/** Files of npm packages that pages load unchanged. */
const PACKAGE_FILES: Readonly<Record<string, string>> = {
  'uplot.js': 'uplot/dist/uPlot.iife.min.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
};

function filesIn(folder: string): string[] {
  const entries = readdirSync(join(FOLDER, folder), { withFileTypes: true });
  return entries.filter((one) => one.isFile()).map(({ name }) => join(folder, name));
}

/** All files of the client folder. Browser code is TypeScript; its types are stripped before it is served. */
function readAssets(): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const file of [...filesIn(''), ...filesIn('charts'), ...filesIn('account'), ...filesIn('fonts')]) {
    const source = readFileSync(join(FOLDER, file));
    const kind = extname(file).slice(1);
    const name = basename(file);
    if (kind === 'ts') assets.set(name.replace(/\.ts$/, '.js'), asset('js', source, withoutTypes));
    else if (kind !== 'json') assets.set(name, asset(kind, source));
  }
  for (const id of MARKS.filter((one) => one.startsWith('c-')))
    assets.set(`${id}.svg`, asset('svg', Buffer.from(markFile(id) ?? '')));
  const styles = STYLES.map((name) => readFileSync(join(FOLDER, 'styles', `${name}.css`), 'utf8'));
  assets.set('style.css', asset('css', Buffer.from(withoutComments(styles.join('')))));
  const modules = dirname(dirname(createRequire(import.meta.url).resolve('uplot/package.json')));
  for (const [name, file] of Object.entries(PACKAGE_FILES)) {
    assets.set(name, asset(name.endsWith('.css') ? 'css' : 'js', readFileSync(join(modules, file))));
  }
  return assets;
}

function asset(kind: string, source: Buffer, prepare = (text: Buffer) => text): Asset {
  let body: Body | null = null;
  return {
    type: TYPES[kind] ?? 'text/plain',
    source,
    body: () => {
      body ??= new Body(prepare(source), undefined, 'small');
      return body;
    },
  };
}

/** Comments and indentation are a tenth of what a first visit loads. Only whole lines go, so that no text of the code can. */
function withoutComments(code: string): string {
  return code
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/$/gm, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/\n\s+/g, '\n');
}

/** Node warns that this function is experimental. The call is synchronous, so no other warning can be lost. */
function withoutTypes(text: Buffer): Buffer {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    // Browser code imports other files as TypeScript; they are served as JavaScript, all in one folder.
    const code = withoutComments(stripTypeScriptTypes(text.toString()));
    return Buffer.from(code.replaceAll(/(from ')\.{1,2}(\/[\w-]+)\.ts'/g, "$1.$2.js'"));
  } finally {
    process.emitWarning = emitWarning;
  }
}

const ASSETS = readAssets();
/** Part of every asset's URL, so that browsers can cache assets for ever. */
const VERSION = createHash('sha256')
  .update([...ASSETS.values()].map((one) => one.source.toString('base64')).join())
  .digest('base64url')
  .slice(0, 10);

export function assetPath(name: string): string {
  if (!ASSETS.has(name)) throw new Error(`there is no asset ${name}`);
  return `/assets/${VERSION}/${name}`;
}

export function serveAssets(server: FastifyInstance): void {
  for (const [name, { type, body }] of ASSETS) {
    server.route({
      method: ['GET', 'HEAD'],
      url: assetPath(name),
      handler: async (request, reply) =>
        sendBody(request, reply, body(), {
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
        }),
    });
  }
}
