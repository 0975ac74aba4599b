import { API_PATH } from '../../../../operations/description/discovery.ts';
import { allowedValues, typeWords } from '../../../../operations/description/fields.ts';
import type { AnyOperation } from '../../../../operations/operation.ts';
import type { Parameter } from '../../../../query/parameter.ts';
import { endpointTitle, REFERENCE } from '../../../documents/reference.ts';
import { codeBlock, codeTabs } from '../../markup/code-block.ts';
import { type Html, html } from '../../markup/html.ts';
import { samplesOf } from '../lists/copy-as.ts';
import type { PageContext } from '../page-context.ts';
import { tryPath } from './paths.ts';

/** What the API answers to the request in the form. */
export interface Tried {
  query: ReadonlyMap<string, readonly string[]>;
  status: number;
  body: object;
}

/** More than this is not read on a page. */
const MOST_LINES = 400;
/** Shown without opening the rest. */
const MAIN = new Set(['q', 'coin', 'exchange', 'long_exchange', 'short_exchange', 'sort', 'limit']);

export function tryBody(operation: AnyOperation, tried: Tried, context: PageContext): Html {
  const { path, id } = operation;
  return html`<p class="crumbs">
      <a class="lnk" href="/developers">Docs</a> / <a class="lnk" href="${REFERENCE.path}#${id}">API reference</a>
    </p>
    <h1>Try ${endpointTitle(operation)}</h1>
    <p class="sub">${planWords(context)}</p>
    <div class="try">
      <section class="card">
        <header><h2>Request</h2><code>GET ${API_PATH}${path}</code></header>
        ${requestForm(operation, tried)}
      </section>
      <div>
        ${codeTabs(samplesOf(operation, tried.query, context.entrance.baseUrl))}
        <div id="answer">${answerBlock(tried)}</div>
      </div>
    </div>`;
}

function planWords({ caller, isSignedIn }: PageContext): Html {
  const { title, delaySeconds } = caller.plan;
  if (isSignedIn)
    return html`Answers are those of your plan, ${title}. A request from this page needs no key and counts as a page.`;
  return html`You are not signed in, so answers are those of ${title}: ${delaySeconds / 60} minutes
    late. <a class="lnk" href="/sign-in">Sign in</a> to get those of your plan; no key is needed here.`;
}

function requestForm(operation: AnyOperation, { query }: Tried): Html {
  const all = Object.values(operation.parameters).filter(({ name }) => name !== 'cursor');
  const isMain = ({ name, isRequired }: Parameter) => isRequired || MAIN.has(name);
  const rest = all.filter((one) => !isMain(one));
  const isOpen = rest.some(({ name }) => query.has(name));
  const fields = (list: readonly Parameter[]) =>
    list.map((one) => field(one, query.get(one.name)?.join(',')));
  return html`<form class="form" action="${tryPath(operation)}#answer">
    ${fields(all.filter(isMain))}
    ${
      rest.length === 0
        ? null
        : html`<details${isOpen ? html` open` : null}>
          <summary>${rest.length} more parameter${rest.length === 1 ? '' : 's'}</summary>
          <div>${fields(rest)}</div>
        </details>`
    }
    <p class="acts">
      <button class="btn pri" type="submit">Send</button>
      <a class="btn" href="${tryPath(operation)}">Reset</a>
    </p>
  </form>`;
}

function field(parameter: Parameter, value = ''): Html {
  const { name, schema, isRequired, isList, example, description } = parameter;
  const values = schema.type === 'boolean' ? ['true', 'false'] : isList ? [] : allowedValues(schema);
  const control =
    values.length === 0
      ? html`<input name="${name}" value="${value}" placeholder="${example}" autocomplete="off"${isRequired ? html` required` : null}>`
      : html`<select name="${name}">
          <option value="">not sent</option>
          ${values.map((one) => html`<option${one === value ? html` selected` : null}>${one}</option>`)}
        </select>`;
  return html`<label class="f" title="${description}">
    <span><code>${name}</code> <small>${typeWords(schema)}${isRequired ? ', required' : ''}</small></span>
    ${control}
  </label>`;
}

function answerBlock({ status, body }: Tried): Html {
  const lines = JSON.stringify(body, null, 2).split('\n');
  const isCut = lines.length > MOST_LINES;
  const title = html`<b class="${status === 200 ? 'pos' : 'neg'}">Status ${status}</b>`;
  return html`${codeBlock(title, lines.slice(0, MOST_LINES).join('\n'), 'json')}
    ${isCut ? html`<p class="hint">The first ${MOST_LINES} of ${lines.length} lines. Your program gets all of them.</p>` : null}`;
}
