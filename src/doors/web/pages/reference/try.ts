import { Problem } from '../../../../base/problems.ts';
import { problemDocument } from '../../../../operations/access/problem-body.ts';
import { dataOf } from '../../../../operations/answer/answer.ts';
import { API_PATH } from '../../../../operations/description/discovery.ts';
import type { AnyOperation } from '../../../../operations/operation.ts';
import { endpointTitle, REFERENCE } from '../../../documents/reference.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import { NO_WINDOWS } from '../../layout/visitor.ts';
import { CODE_SCRIPTS } from '../../markup/code-block.ts';
import { type AnyMarketPage, definePage } from '../market-page.ts';
import type { PageContext } from '../page-context.ts';
import { tryPath } from './paths.ts';
import { type Tried, tryBody } from './try-view.ts';

/** The whole answer may have thousands of rows. */
const FIRST_LIMIT = '2';

/** A form with every parameter of an endpoint, and the answer of the API with the plan of the reader. */
export function tryPage(operation: AnyOperation): AnyMarketPage {
  const title = `Try ${endpointTitle(operation)}`;
  const names = Object.values(operation.parameters)
    .filter((one) => one.in === 'path' || one.isRestOnly)
    .map(({ name }) => name);
  return definePage<Tried>({
    path: tryPath(operation),
    section: '/developers',
    parameters: pageParameters(operation, names),
    isIndexed: false,
    freshness: ({ entrance, caller }) => {
      const fresh = entrance.freshness(operation, caller);
      return fresh === null ? null : String(fresh);
    },
    load: (context) => answerTo(operation, context),
    view: (tried, context) => ({
      title,
      description: `Send a request to ${API_PATH}${operation.path} and read the answer`,
      layout: 'wrap',
      scripts: CODE_SCRIPTS,
      body: tryBody(operation, tried, context),
    }),
    markdown: ({ status, body }) =>
      `# ${title}\n\n[Reference](${REFERENCE.path})\n\nStatus ${status}\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\`\n`,
  });
}

async function answerTo(operation: AnyOperation, { entrance, caller, sent }: PageContext): Promise<Tried> {
  const query = sent.size === 0 ? firstQuery(operation) : sent;
  try {
    const answer = await entrance.run(operation, caller, NO_WINDOWS, query);
    return { query, status: 200, body: { data: dataOf(answer), meta: answer.meta } };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return {
      query,
      status: error.status,
      body: { ...problemDocument(error, '', entrance.baseUrl), instance: undefined },
    };
  }
}

/** What the form has before the reader changes it: an example of what is required, and few rows. */
function firstQuery({ parameters }: AnyOperation): Map<string, string[]> {
  const query = new Map<string, string[]>();
  for (const { name, isRequired, example } of Object.values(parameters)) {
    if (isRequired) query.set(name, [example]);
    else if (name === 'limit') query.set(name, [FIRST_LIMIT]);
  }
  return query;
}
