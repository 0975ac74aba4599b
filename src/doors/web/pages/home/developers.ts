import { PLANS } from '../../../../accounts/plans.ts';
import { funding } from '../../../../operations/funding.ts';
import { GET_KEY_PATH, KEYS_PATH } from '../../layout/paths.ts';
import { codeTabs, type Sample } from '../../markup/code-block.ts';
import { grouped } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { samplesOf } from '../lists/copy-as.ts';

const EXAMPLE = new Map([
  ['coin', ['BTC', 'ETH']],
  ['sort', ['apr_desc']],
  ['limit', ['2']],
]);

/** One question in three languages, and the address for assistants. */
function samplesFor(baseUrl: string): readonly Sample[] {
  return [...samplesOf(funding, EXAMPLE, baseUrl), { name: 'MCP', language: 'text', code: `${baseUrl}/mcp` }];
}

/** What the site offers to programs. With scripts the samples are tabs; without, they stand below each other. */
export function developersBlock(baseUrl: string, isSignedIn: boolean): Html {
  const { requestsPerMonth, delaySeconds } = PLANS.demo;
  const free = `Free key: ${grouped(requestsPerMonth)} calls a month, ${delaySeconds / 60} min delayed`;
  const ticks = [
    free,
    'Settled payment history, up to two years back',
    'MCP server: ask your AI assistant directly',
  ];
  return html`<section class="dev">
    <div>
      <h2 class="h-l">The same numbers, in your code or your assistant</h2>
      <p class="lead">
        One REST call returns what you see on the page, with the venue, the interval and the time beside every
        figure. Every formula is published.
      </p>
      <ul class="ticks">${ticks.map((words) => html`<li>${icon('check')}${words}</li>`)}</ul>
      <p class="acts">
        <a class="btn pri lg" href="${isSignedIn ? KEYS_PATH : GET_KEY_PATH}">${icon('key')}Get an API key</a>
        <a class="btn lg" href="/developers/assistants">${icon('plug')}Connect an assistant</a>
        <a class="btn ghost lg" href="/developers">Read the docs</a>
      </p>
    </div>
    ${codeTabs(samplesFor(baseUrl))}
  </section>`;
}
