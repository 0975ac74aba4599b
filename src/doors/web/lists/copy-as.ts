import { ownValue } from '../../../base/own-value.ts';
import { API_PATH } from '../../../operations/description/discovery.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { icon } from '../icons/ui-icons.ts';
import { codeTabs, type Sample } from '../markup/code-block.ts';
import { escapeHtml, Html, html } from '../markup/html.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

/** They name a place in one answer. */
const NOT_COPIED = new Set(['cursor', 'page']);

/** What differs between the samples of two requests. */
interface Request {
  /** Without the query. */
  address: string;
  /** With the query; it has neither quotes nor backslashes, so it is one string in every language. */
  url: string;
  parameters: readonly (readonly [name: string, value: string])[];
}

function requestOf(operation: AnyOperation, sent: Sent, baseUrl: string): Request {
  const parameters: [string, string][] = [];
  for (const [name, values] of sent)
    if (ownValue(operation.parameters, name)?.in === 'query' && !NOT_COPIED.has(name))
      parameters.push([name, values.join(',')]);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(sent.get(name)?.[0] ?? ''),
  );
  const address = `${baseUrl}${API_PATH}${path}`.replaceAll("'", '%27');
  if (parameters.length === 0) return { address, url: address, parameters };
  const query = new URLSearchParams(parameters).toString().replaceAll('%2C', ',');
  return { address, url: `${address}?${query}`, parameters };
}

/** The request of the API that answers what the page shows, in three languages. */
export function samplesOf(operation: AnyOperation, sent: Sent, baseUrl: string): Sample[] {
  const { url, address, parameters } = requestOf(operation, sent, baseUrl);
  const named = parameters.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return samples(url, address, named.length === 0 ? '' : `    params={${named.join(', ')}},\n`);
}

function samples(url: string, address: string, pythonLine: string): Sample[] {
  return [
    {
      name: 'curl',
      language: 'sh',
      code: `curl -H "Authorization: Bearer $PERPWIRE_KEY" \\\n  "${url}"`,
    },
    {
      name: 'TypeScript',
      language: 'ts',
      code: `const reply = await fetch('${url}', {\n  headers: { authorization: \`Bearer \${PERPWIRE_KEY}\` },\n});\nconst { data, meta } = await reply.json();`,
    },
    {
      name: 'Python',
      language: 'python',
      code: `import os, requests\n\nreply = requests.get(\n    "${address}",\n${pythonLine}    headers={"Authorization": f"Bearer {os.environ['PERPWIRE_KEY']}"},\n)\nanswer = reply.json()`,
    },
  ];
}

function drawer(label: string, tabs: Html): Html {
  return html`<details class="more copyas"><summary class="btn">${icon('copy')}${label}</summary><div class="drawer"><header><h2>Copy as curl, TypeScript or Python</h2></header><div class="body"><p class="mut">The API answers the same rows. <a class="lnk" href="/account/keys">Get a key</a></p>${tabs}</div></div></details>`;
}

/** Stands for what differs between two requests. No text of ours has it. */
const SLOT = '\u0000';
let pieces: readonly string[] | null = null;

/**
 * "Copy as": opens without scripts; the languages are tabs with them. Colouring the code takes longer than the rest of a
 * filter bar, so it is done once, with slots for the request: an address is one string of the code whatever it is.
 */
export function copyAs(operation: AnyOperation, sent: Sent, baseUrl: string, label = 'Copy as code'): Html {
  pieces ??= drawer(SLOT, codeTabs(samples(SLOT, SLOT, SLOT))).markup.split(SLOT);
  const [start, beforeCurl, beforeFetch, beforeGet, beforeParameters, end] = pieces;
  const { url, address, parameters } = requestOf(operation, sent, baseUrl);
  const shownUrl = escapeHtml(url);
  return new Html(
    `${start}${escapeHtml(label)}${beforeCurl}${shownUrl}${beforeFetch}${shownUrl}${beforeGet}${escapeHtml(address)}${beforeParameters}${pythonParameters(parameters)}${end}`,
  );
}

/** The line of the parameters, coloured as `highlight` does. */
function pythonParameters(parameters: Request['parameters']): string {
  if (parameters.length === 0) return '';
  const text = (value: string) => `<span class="s">${escapeHtml(JSON.stringify(value))}</span>`;
  const named = parameters.map(([name, value]) => `${text(name)}: ${text(value)}`);
  return `    params={${named.join(', ')}},\n`;
}
