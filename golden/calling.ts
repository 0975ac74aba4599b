import { parquetReadObjects } from 'hyparquet';
import { PLANS } from '../src/accounts/plans.ts';
import type { Answered, Recording } from './recording.ts';
import type { Wanted } from './requests.ts';

/** The headers that say something to a caller; all others differ from run to run or follow from the body. */
const HEADERS = [
  'access-control-allow-origin',
  'allow',
  'cache-control',
  'content-disposition',
  'content-security-policy',
  'content-type',
  'deprecation',
  'etag',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'sunset',
  'vary',
  'www-authenticate',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];
const PARQUET = 'application/vnd.apache.parquet';

/** What is drawn at random in each run. A tag covers the body, so it is left out with them. */
const DRAWN: readonly (readonly [RegExp, string])[] = [
  [/pw_test_[0-9A-Za-z]{3,}(?:_[0-9A-Za-z]{6})?/g, 'pw_test_…'],
  [/\balr_[\w.-]+/g, 'alr_…'],
  [/"instance":"[^"]*"/g, '"instance":"…"'],
  [/(Request id:?\s*(?:<[^>]*>)?)[0-9A-Za-z_-]{8,}/gi, '$1…'],
];
/** The names of assets have a hash of their content. */
const ASSET = /(\/assets\/[\w./-]*?)[.-][0-9A-Za-z_-]{8,}(\.\w+)/g;

interface CallOptions {
  address: string;
  newKey(plan: string): Promise<string>;
}

/** Makes requests with keys that nobody else uses, so that what is left of their windows is the same in each run. */
export class Caller {
  readonly #options: CallOptions;
  readonly #keys = new Map<string, { text: string; left: number }>();

  constructor(options: CallOptions) {
    this.#options = options;
  }

  async record(wanted: readonly Wanted[]): Promise<Recording> {
    const recording = new Map<string, Answered[]>();
    for (const [group, requests] of Map.groupBy(wanted, (one) => one.group)) {
      this.#keys.clear();
      const answers: Answered[] = [];
      for (const request of requests) answers.push(...(await this.#answers(request)));
      recording.set(group, answers);
    }
    return recording;
  }

  async #answers({ path, plan, furtherPages = 0, call }: Wanted): Promise<Answered[]> {
    const name = call ? call.name : `GET ${path}${plan === null ? '' : ` (${plan})`}`;
    const answers: Answered[] = [];
    let cursor: string | null = null;
    for (let page = 1; page <= 1 + furtherPages && (page === 1 || cursor !== null); page++) {
      const asked: string = cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
      const reply = await this.#call(asked, plan, call?.body);
      const answered = await answeredOf(reply, page === 1 ? name : `${name}, page ${page}`);
      cursor = cursorIn(answered.body);
      answers.push(answered);
    }
    return answers;
  }

  async #call(path: string, plan: string | null, body: string | undefined): Promise<Response> {
    const key = plan === null ? null : await this.#keyOf(plan);
    return await fetch(`${this.#options.address}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        'accept-encoding': 'identity',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** The clock stands still, so a minute never ends. */
  async #keyOf(plan: string): Promise<string> {
    const held = this.#keys.get(plan);
    if (held && held.left-- > 0) return held.text;
    const text = await this.#options.newKey(plan);
    this.#keys.set(plan, { text, left: PLANS[plan as keyof typeof PLANS].requestsPerMinute - 2 });
    return text;
  }
}

function cursorIn(body: string): string | null {
  return /"next_cursor":"([^"]+)"/.exec(body)?.[1] ?? null;
}

async function answeredOf(reply: Response, name: string): Promise<Answered> {
  const isParquet = reply.headers.get('content-type')?.startsWith(PARQUET) === true;
  const sent = isParquet ? await parquetText(await reply.arrayBuffer()) : await reply.text();
  const body = withoutDrawn(sent);
  const headers = Object.fromEntries(
    HEADERS.flatMap((header) => {
      const value = reply.headers.get(header);
      return value === null ? [] : [[header, withoutDrawn(value)]];
    }),
  );
  // The tag of a body that was changed here is another one in each run.
  if (body !== sent) delete headers.etag;
  return { name, status: reply.status, headers, body };
}

export function withoutDrawn(text: string): string {
  return DRAWN.reduce((changed, [drawn, instead]) => changed.replaceAll(drawn, instead), text).replaceAll(
    ASSET,
    '$1$2',
  );
}

/** The rows of a Parquet file, as JSON. */
async function parquetText(file: ArrayBuffer): Promise<string> {
  const rows = await parquetReadObjects({ file });
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
