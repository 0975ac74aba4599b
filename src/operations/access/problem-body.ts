import { PROBLEMS, type Problem } from '../../base/problems.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** An RFC 9457 body. It contains only what the Problem has for the caller. */
export function problemDocument(problem: Problem, requestId: string, baseUrl: string): object {
  return {
    type: `${baseUrl}/developers/errors#${problem.code}`,
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.detail,
    instance: requestId,
    code: problem.code,
    docs: `${baseUrl}/developers`,
    ...(problem.suggestions ? { suggestions: problem.suggestions } : {}),
  };
}
