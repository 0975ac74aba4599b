import { connectionCause } from '../../base/connection-errors.ts';
import { printable } from '../../base/printable.ts';
import { LakeError } from '../files/manifest.ts';

/** The files cannot be reached now, but later perhaps. */
export class LakeUnavailable extends LakeError {}

/** The server does not let this program read or write the files; only the operator can change that. */
export class LakeRefused extends LakeError {}

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['NoSuchBucket', 'there is no such bucket: create it, or correct LAKE_URL or AWS_ENDPOINT_URL'],
  ['InvalidAccessKeyId', 'the key is unknown: correct AWS_ACCESS_KEY_ID'],
  ['SignatureDoesNotMatch', 'the key does not fit: correct AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY'],
  ['InvalidToken', 'the session token does not fit: correct AWS_SESSION_TOKEN'],
  ['ExpiredToken', 'the session token has expired: set a new AWS_SESSION_TOKEN'],
  ['AccessDenied', 'the key may not do this: it needs to list, read, write and delete objects of the bucket'],
  ['RequestTimeTooSkewed', 'the clock of this machine is wrong'],
]);
const REGION_FAULTS = [
  'AuthorizationHeaderMalformed',
  'PermanentRedirect',
  'IllegalLocationConstraintException',
];

/** What a refusal of the server means, with the setting to change. `xml` is the body of the answer. */
export function refusalText(status: number, xml: string): string {
  const code = textOf(xml, 'Code') ?? '';
  const advice = ADVICE.get(code);
  if (advice !== undefined) return advice;
  const region = textOf(xml, 'Region') ?? '';
  if (status === 301 || REGION_FAULTS.includes(code))
    return `it is in another region: set AWS_REGION${region === '' ? '' : ` to ${region}`}`;
  const said = [code, textOf(xml, 'Message') ?? ''].filter((text) => text !== '').join(', ');
  return `the server answered ${status}${said === '' ? '' : `: ${printable(said)}`}`;
}

export function unreachable(where: string, host: string, error: unknown): LakeUnavailable {
  const cause = connectionCause(error) ?? (error instanceof Error ? error.message : String(error));
  return new LakeUnavailable(`${where} cannot be reached at ${host}: ${cause}; see AWS_ENDPOINT_URL`);
}

/** The text of the first element of this name. */
export function textOf(xml: string, element: string): string | null {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? null;
}
