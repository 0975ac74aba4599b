import { API_PATH } from '../../../operations/description/discovery.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { icon } from '../icons/ui-icons.ts';
import { codeTabs, type Sample } from '../markup/code-block.ts';
import { type Html, html } from '../markup/html.ts';

type Sent = ReadonlyMap<string, readonly string[]>;

/** They name a place in one answer. */
const NOT_COPIED = new Set(['cursor', 'page']);

/** The request of the API that answers what the page shows, in three languages. */
export function samplesOf(operation: AnyOperation, sent: Sent, baseUrl: string): Sample[] {
  const pairs = [...sent].flatMap(([name, values]): [string, string][] => {
    const isOfQuery = operation.parameters[name]?.in === 'query' && !NOT_COPIED.has(name);
    return isOfQuery ? [[name, values.join(',')]] : [];
  });
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(sent.get(name)?.[0] ?? ''),
  );
  const address = `${baseUrl}${API_PATH}${path}`;
  const query = new URLSearchParams(pairs).toString().replaceAll('%2C', ',');
  const url = query === '' ? address : `${address}?${query}`;
  const parameters = pairs.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const python = parameters.length === 0 ? '' : `    params={${parameters.join(', ')}},\n`;
  return [
    {
      name: 'curl',
      language: 'sh',
      code: `curl -H "Authorization: Bearer $PERPWIRE_KEY" \\\n  "${url}"`,
    },
    {
      name: 'TypeScript',
      language: 'ts',
      code: `const reply = await fetch('${url.replaceAll("'", '%27')}', {\n  headers: { authorization: \`Bearer \${PERPWIRE_KEY}\` },\n});\nconst { data, meta } = await reply.json();`,
    },
    {
      name: 'Python',
      language: 'python',
      code: `import os, requests\n\nreply = requests.get(\n    "${address}",\n${python}    headers={"Authorization": f"Bearer {os.environ['PERPWIRE_KEY']}"},\n)\nanswer = reply.json()`,
    },
  ];
}

/** "Copy as": opens without scripts; the languages are tabs with them. */
export function copyAs(operation: AnyOperation, sent: Sent, baseUrl: string, label = 'Copy as code'): Html {
  return html`<details class="more copyas"><summary class="btn">${icon('copy')}${label}</summary><div class="drawer"><header><h2>Copy as curl, TypeScript or Python</h2></header><div class="body"><p class="mut">The API answers the same rows. <a class="lnk" href="/account/keys">Get a key</a></p>${codeTabs(samplesOf(operation, sent, baseUrl))}</div></div></details>`;
}
