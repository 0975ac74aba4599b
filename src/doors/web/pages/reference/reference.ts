import { API_PATH } from '../../../../operations/description/discovery.ts';
import { META_SCHEMA } from '../../../../operations/description/envelope.ts';
import { fieldsOf } from '../../../../operations/description/fields.ts';
import { exampleAnswer } from '../../../../operations/description/openapi-examples.ts';
import type { AnyOperation } from '../../../../operations/operation.ts';
import type { DocumentContext } from '../../../documents/document.ts';
import { endpointTitle, parameterFields, REFERENCE } from '../../../documents/reference.ts';
import { CODE_SCRIPTS, codeBlock } from '../../markup/code-block.ts';
import { type Html, html } from '../../markup/html.ts';
import type { TextPage } from '../text-page.ts';
import { fieldTable, withCode } from './field-table.ts';
import { canBeTried, tryPath } from './paths.ts';

/** Every endpoint: parameters, fields of the answer, an example, and a link to try it. */
export const REFERENCE_PAGE: TextPage = { ...REFERENCE, scripts: CODE_SCRIPTS, body: referenceBody };

function referenceBody({ operations, baseUrl }: DocumentContext): Html {
  return html`<h1>API reference</h1>
    <p>
      Every endpoint, to read and to try. Programs read the same
      as <a class="lnk" href="${API_PATH}/openapi.json">OpenAPI</a>;
      the <a class="lnk" href="/developers">guide</a> explains keys, limits and caching.
    </p>
    <section>
      <h2 id="answers">Every answer</h2>
      <p>
        The rows or figures are in <code>data</code>. <code>meta</code> says how old they are and where the next
        page is. Errors have <a class="lnk" href="/developers/errors">a form of their own</a>.
      </p>
      ${fieldTable('Fields of meta', 'Field', fieldsOf(META_SCHEMA, 'meta.'))}
    </section>
    ${operations.map((operation) => endpoint(operation, baseUrl))}`;
}

function endpoint(operation: AnyOperation, baseUrl: string): Html {
  const { id, path, summary, description, scope, data } = operation;
  const title = endpointTitle(operation);
  const parameters = parameterFields(operation);
  const fields = fieldsOf(data);
  const example = JSON.stringify(exampleAnswer(operation, baseUrl), null, 2);
  return html`<section>
    <h2 id="${id}">${title}</h2>
    <p class="ep">
      <span class="tag ok">GET</span> <span>${API_PATH}${path}</span>
      <span class="tag end">${scope ?? 'any valid key'}</span>
    </p>
    <p><b>${summary}.</b> ${withCode(description)}</p>
    ${canBeTried(operation) ? html`<p><a class="btn" href="${tryPath(operation)}">Try it</a></p>` : null}
    ${
      parameters.length === 0
        ? null
        : html`<details class="fold" open>
          <summary>${counted(parameters.length, 'parameter')}</summary>
          ${fieldTable(`Parameters of ${path}`, 'Parameter', parameters)}
        </details>`
    }
    <details class="fold">
      <summary>${counted(fields.length, 'field')} in ${data.type === 'array' ? 'each row of data' : 'data'}</summary>
      ${fieldTable(`Fields of ${path}`, 'Field', fields)}
    </details>
    ${codeBlock(`Answer of ${path}`, example, 'json')}
  </section>\n`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
