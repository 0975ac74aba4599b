import { ownValue } from '../../../../base/own-value.ts';
import { API_PATH } from '../../../../operations/description/discovery.ts';
import type { AnyOperation } from '../../../../operations/operation.ts';
import { codeTabs, type Sample } from '../../markup/code-block.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { DRAWER_CLOSE } from './filter-bar.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

/** They name a place in one answer. */
const NOT_COPIED = new Set(['cursor', 'page']);

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
  return [
    {
      name: 'curl',
      language: 'sh',
      code: `curl -H "Authorization: Bearer $PERPWIRE_API_KEY" \\\n  "${url}"`,
    },
    {
      name: 'TypeScript',
      language: 'ts',
      code: `import { env } from 'node:process';

const reply = await fetch('${url}', {
  headers: { authorization: \`Bearer \${env.PERPWIRE_API_KEY}\` },
});
const { data, meta } = await reply.json();
console.log(data, meta.as_of);`,
    },
    {
      name: 'Python',
      language: 'python',
      code: `import os, requests

reply = requests.get(
    "${address}",
${named.length === 0 ? '' : `    params={${named.join(', ')}},\n`}    headers={"Authorization": f"Bearer {os.environ['PERPWIRE_API_KEY']}"},
)
answer = reply.json()
print(answer["data"], answer["meta"]["as_of"])`,
    },
  ];
}

/** "Copy as": opens without scripts; the languages are tabs with them. */
export function copyAs(operation: AnyOperation, sent: Sent, baseUrl: string, label = 'Copy as code'): Html {
  return html`<details class="more copyas">
    <summary class="btn">${icon('copy')}${label}</summary>
    <div class="drawer">
      <header><h2>Copy as curl, TypeScript or Python</h2>${DRAWER_CLOSE}</header>
      <div class="body">
        <p class="mut">The API answers the same rows. <a class="lnk" href="/account/keys">Get a key</a></p>
        ${codeTabs(samplesOf(operation, sent, baseUrl))}
      </div>
    </div>
  </details>`;
}
