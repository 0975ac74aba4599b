import { PLANS } from '../../accounts/plans.ts';
import { SCOPES } from '../../accounts/scopes.ts';
import { PROBLEMS, Problem, type ProblemCode } from '../../base/problems.ts';
import { PROBLEM_TYPE, problemDocument } from '../access/problem-body.ts';
import {
  addressTooLong,
  apiDisabled,
  keyMissing,
  keyRefused,
  pageTooLarge,
  scopeMissing,
  snapshotUnavailable,
  unknownCoin,
  unknownExchange,
  windowSpent,
} from '../access/refusals.ts';
import { historyWindow } from '../funding-history/window.ts';
import type { AnyOperation } from '../operation.ts';
import { COMMON_HEADERS, headerRefs, RATE_HEADERS } from './openapi-headers.ts';

const EXAMPLE_MS = Date.UTC(2026, 10, 15, 12);
const REQUEST_ID = 'req-Zk3x9QpA-1a';
const spentStates = {
  minute: { limit: 20, used: 20, remaining: 0, resetsAtMs: 1_794_661_260_000, resetSeconds: 17 },
  month: { limit: 3000, used: 412, remaining: 2588, resetsAtMs: 1_796_083_200_000, resetSeconds: 1_339_200 },
};

export interface ProblemExample {
  name: string;
  summary: string;
  problem: Problem;
}

const example = (name: string, summary: string, problem: Problem): ProblemExample => ({
  name,
  summary,
  problem,
});

const UNREADABLE = example(
  'bad-request',
  'Unreadable address',
  new Problem('bad-request', 'The URL cannot be read; check its percent-encoding.'),
);
const TOO_LONG = example('address-too-long', 'Address over 8 kB', addressTooLong());
const ALLOW = 'GET, HEAD, OPTIONS';
const OTHER_METHOD = example(
  'method-not-allowed',
  'Another method',
  new Problem('method-not-allowed', `POST is not possible here; allowed are ${ALLOW}.`, {
    headers: { allow: ALLOW },
  }),
);
export const SWITCHED_OFF = example('api-disabled', 'Switched off', apiDisabled());
export const DOCUMENT_PROBLEMS: readonly ProblemExample[] = [UNREADABLE, OTHER_METHOD, TOO_LONG];

/** The problems that an operation can answer with, each made by the function that makes the real one. */
export function problemsOf(operation: AnyOperation): ProblemExample[] {
  const { parameters, scope } = operation;
  const all = [
    ...badValues(operation),
    UNREADABLE,
    example('no-key', 'No key', keyMissing()),
    example('wrong-key', 'Mistyped key', keyRefused('malformed')),
  ];
  if (scope !== null) {
    const others = SCOPES.filter((one) => one !== scope);
    all.push(example('scope-missing', 'Key without the scope', scopeMissing(scope, others, spentStates)));
  }
  if (scope === 'history:read') all.push(...tooDeep());
  else if (parameters.limit)
    all.push(example('plan-limit', 'Larger page than the plan', pageTooLarge(100, PLANS.demo)));
  if (parameters.coin?.isRequired)
    all.push(example('unknown-coin', 'Nobody quotes it', unknownCoin('BTX', ['BTC', 'BTT'])));
  if (parameters.exchange)
    all.push(
      example('unknown-exchange', 'Wrong spelling', unknownExchange('binance', ['Binance', 'Bitget'])),
    );
  all.push(
    OTHER_METHOD,
    TOO_LONG,
    example('rate-limited', 'Minute spent', windowSpent(PLANS.demo, 'minute', 17, spentStates)),
    example('quota-exhausted', 'Month spent', windowSpent(PLANS.demo, 'month', 1_339_200, spentStates)),
  );
  if (operation.freshness !== null)
    all.push(example('snapshot-unavailable', 'Just started', snapshotUnavailable()));
  return [...all, SWITCHED_OFF];
}

/** An invalid value, refused by the parameter itself. */
function badValues({ parameters }: AnyOperation): ProblemExample[] {
  for (const parameter of Object.values(parameters)) {
    try {
      parameter.parse('?');
    } catch (error) {
      if (error instanceof Problem && error.code === 'invalid-parameter')
        return [example('invalid-parameter', `Bad ${parameter.name}`, error)];
    }
  }
  return [];
}

/** Thirty days on a plan with seven, refused by the function that refuses real requests. */
function tooDeep(): ProblemExample[] {
  try {
    historyWindow({ resolution: '1d', from: undefined, to: undefined, days: 30 }, PLANS.demo, EXAMPLE_MS);
  } catch (error) {
    if (error instanceof Problem) return [example('plan-limit', 'Deeper than the plan', error)];
  }
  return [];
}

const ALWAYS_WITH: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
};
const SOMETIMES_WITH: Readonly<Record<number, readonly string[]>> = {
  400: RATE_HEADERS,
  403: ['WWW-Authenticate', ...RATE_HEADERS],
  404: RATE_HEADERS,
  405: RATE_HEADERS,
  429: RATE_HEADERS,
  503: ['Retry-After', ...RATE_HEADERS],
};

/** One response per status, with its possible codes and an example of each. */
export function problemResponses(
  problems: readonly ProblemExample[],
  baseUrl: string,
  extraHeaders: readonly string[] = [],
): Record<string, object> {
  const responses: Record<string, object> = {};
  for (const [status, own] of Map.groupBy(problems, ({ problem }) => problem.status)) {
    const codes = [...new Set(own.map(({ problem }) => problem.code))];
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].help}`).join('\n\n'),
      headers: headerRefs(
        [...COMMON_HEADERS, ...extraHeaders, ...(ALWAYS_WITH[status] ?? [])],
        SOMETIMES_WITH[status],
      ),
      content: {
        [PROBLEM_TYPE]: {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Problem' },
              { type: 'object', properties: { status: { const: status }, code: { enum: codes } } },
            ],
          },
          examples: Object.fromEntries(
            own.map(({ name, summary, problem }) => [
              name,
              { summary, value: problemDocument(problem, REQUEST_ID, baseUrl) },
            ]),
          ),
        },
      },
    };
  }
  return responses;
}

const text = (description: string) => ({ type: 'string', description });

/** The body of every error. */
export function problemSchema(): object {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  return {
    type: 'object',
    description: 'RFC 9457 problem. Rely on `code`: it is stable, the other words may improve.',
    properties: {
      type: { ...text('Address of the explanation of the code'), format: 'uri' },
      title: text('The code in words'),
      status: { type: 'integer', format: 'int32', description: 'HTTP status' },
      detail: text('What was wrong this time, and what to change'),
      instance: text('Request id, also in X-Request-Id'),
      code: { ...text('Stable error code'), enum: codes },
      docs: { ...text('Developer page'), format: 'uri' },
      suggestions: {
        type: 'array',
        items: { type: 'string' },
        description: 'Close matches; absent where there is none',
      },
    },
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'docs'],
  };
}
