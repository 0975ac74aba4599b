import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { API_PATH } from '../../../../operations/description/discovery.ts';
import type { AnyOperation } from '../../../../operations/operation.ts';
import { REFERENCE } from '../../../documents/reference.ts';
import { Body } from '../../../http/answers/body.ts';
import { sendBody } from '../../../http/answers/send-body.ts';
import { PAGE_HEADERS } from '../../layout/page-headers.ts';
import { assetPath } from '../../markup/assets.ts';
import { type Html, html } from '../../markup/html.ts';
import type { TextPage } from '../text-page.ts';

const PATH = REFERENCE.path;
/** Written by `npm run reference`. */
export const REFERENCE_BUNDLE = join(import.meta.dirname, 'scalar/standalone.js.br');
const decompress = promisify(brotliDecompress);
const BUNDLE_PATH = `${PATH}/scalar.js`;
/** The interactive form has a page of its own: it loads a megabyte, which few readers need. */
const TRY_PATH = `${PATH}/try`;

/** Scalar adds inline styles, so this page alone allows them. Scripts and requests stay on this origin. */
const HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'private, no-cache',
};

/** Four megabytes that few visits need, so they are read at the first request. */
async function readBundle(): Promise<Body> {
  return new Body(await decompress(await readFile(REFERENCE_BUNDLE)));
}

/** Every endpoint with its parameters, and a page that tries them. */
export const REFERENCE_PAGE: TextPage = {
  ...REFERENCE,
  body: ({ operations }) => referenceBody(operations),
  serve: (server) => {
    let bundle: Promise<Body> | null = null;
    const page = Body.of(tryPage());
    const method = ['GET', 'HEAD'];
    server.route({
      method,
      url: TRY_PATH,
      handler: (request, reply) => sendBody(request, reply, page, HEADERS),
    });
    server.route({
      method,
      url: BUNDLE_PATH,
      handler: async (request, reply) => {
        bundle ??= readBundle();
        return await sendBody(request, reply, await bundle, {
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=86400',
        });
      },
    });
  },
};

function referenceBody(operations: readonly AnyOperation[]): Html {
  return html`<h1>API reference</h1>
    <p>
      Every endpoint with its parameters, the same
      as <a class="lnk" href="${API_PATH}/openapi.json">OpenAPI</a>.
      The <a class="lnk" href="/developers">guide</a> explains keys, limits and caching.
    </p>
    <p><a class="btn pri" href="${TRY_PATH}">Try requests with your key</a></p>
    ${operations.map(endpoint)}`;
}

function endpoint({ id, path, summary, description, scope, parameters }: AnyOperation): Html {
  const named = Object.values(parameters);
  return html`<section>
    <h2 id="${id}"><code>GET ${API_PATH}${path}</code></h2>
    <p><b>${summary}.</b> ${description}</p>
    <p>Scope: ${scope === null ? 'any valid key' : html`<code>${scope}</code>`}</p>
    ${
      named.length === 0
        ? null
        : html`<div class="tw" tabindex="0" role="region" aria-label="Parameters of ${path}">
          <table class="t">
            <thead><tr><th scope="col">Parameter</th><th scope="col">Meaning</th></tr></thead>
            <tbody>
              ${named.map((one) => html`<tr><td><code>${one.name}</code></td><td>${one.description}</td></tr>\n`)}
            </tbody>
          </table>
        </div>`
    }
  </section>\n`;
}

/** Our stylesheet is left out: its rules for plain elements would override Scalar's layers. */
function tryPage(): string {
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try the API · Perpwire</title>
<meta name="description" content="Send requests to the Perpwire API with your key">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath('reference.css')}">
<script defer src="${BUNDLE_PATH}"></script>
<script type="module" src="${assetPath('reference-repairs.js')}"></script>
<script type="module" src="${assetPath('reference.js')}"></script>
</head>
<body>
<nav class="site" aria-label="Site">
        <a href="/">Perpwire</a> <a href="${PATH}">Reference</a> <a href="/developers">API
        guide</a> <a href="/developers/errors">Errors</a> <a href="/plans">Plans</a> <a href="/account/keys">Your
        keys</a>
      </nav>
      <main id="reference" data-description="${API_PATH}/openapi.json">
        <h1>Try the API</h1>
        <p>This page needs scripts. Every endpoint is described in the <a href="${PATH}">reference</a>.</p>
      </main>
    </body>
</html>`;
  return `<!doctype html>\n${page.markup}\n`;
}
