import { type Answer, answerText } from '../../../operations/answer/answer.ts';
import { Body } from './body.ts';
import { bytesTag } from './bytes-tag.ts';

/**
 * The body of an answer. A list of whole rows is a function of its snapshot and its query, so its ETag is made from these,
 * which takes less time than hashing the bytes. `query` names everything else that the bytes depend on: columns, base
 * URL, plan and address.
 */
export function answerBody(answer: Answer, query: string): Body {
  const { fields, rows, meta } = answer;
  const json = answerText(answer);
  const isOfSnapshot = (fields === null || answer.isOfSnapshot) && rows?.columns === null;
  return isOfSnapshot ? new Body(json, bytesTag(`${meta.as_of} ${query}`)) : new Body(json);
}
