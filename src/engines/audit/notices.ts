import { COUNTED_FIELDS } from './counts.ts';

/** What wants a look and is no proof of a wrong row. */
export const NOTICE_KINDS = [
  'counted_twice',
  'halved',
  'withheld',
  'interest_ratio',
  'interest_change',
  'mirrors',
] as const;
type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The published fields that a notice may be about, by the name that answers have. */
export const NOTICE_FIELDS = [...COUNTED_FIELDS, 'last_rate_pct'] as const;
type NoticeField = (typeof NOTICE_FIELDS)[number];

export interface Notice {
  exchange: string;
  kind: NoticeKind;
  field: NoticeField;
  /** The other venue that it is about, if there is one. */
  of?: string | undefined;
  sinceMs: number;
  /** The numbers behind it, as a sentence. */
  evidence: string;
}

const FIELD_WORDS: Readonly<Record<NoticeField, string>> = {
  open_interest_usdt: 'open interest',
  volume_24h_usdt: '24 h volume',
  last_rate_pct: 'settled rates',
};

const RATIO_ADVICE =
  'Look at the venue’s notices of counted_twice and halved first. If there is none, compare open interest and volume of a large contract with the venue’s page: a wrong unit is off by a price or a contract size. A venue with unusual traders is no fault.';

interface NoticeWords {
  /** What was found, after the venue's name. */
  finding: (field: string, of: string) => string;
  /** What an operator does about it. */
  advice: string;
}

const WORDS: Readonly<Record<NoticeKind, NoticeWords>> = {
  counted_twice: {
    finding: (field) =>
      `${field} is never odd in the venue’s own steps: the venue counts both sides, and twice the truth is published`,
    advice:
      'Compare one contract with a field of the venue that counts one side, or with its trades. If it is twice as much, run perpwire venues sides VENUE --counts both (with --figure volume for volumes); a release takes it into the facts of the venue.',
  },
  halved: {
    finding: (field) =>
      `${field} ends in halves of the venue’s own step: the venue counts one side, and half the truth is published`,
    advice:
      'The figure is halved although it counts one side. Run perpwire venues sides VENUE --counts one (with --figure volume for volumes); a release takes it into the facts of the venue.',
  },
  withheld: {
    finding: (field) => `${field} of some contracts cannot be right and is not published`,
    advice:
      'Compare a contract that the log names with the venue’s page. If its call and its stream differ, one of them is in another unit (coins, contracts or dollars).',
  },
  interest_ratio: {
    finding: () => 'open interest / volume is far from that of the other venues on the same coins',
    advice: RATIO_ADVICE,
  },
  interest_change: {
    finding: () => 'open interest / volume has changed against the venue’s own last days',
    advice: RATIO_ADVICE,
  },
  mirrors: {
    finding: (field, of) =>
      `${field} equal those of ${of} to the digit on most contracts of the last day: a copy, whose pairs with ${of} are left out of arbitrage`,
    advice:
      'Nothing is wrong with the rows. If it is the other venue that copies, state it in the facts (copyOf); check that both adapters call their own host.',
  },
};

export function findingOf({ kind, field, of }: Pick<Notice, 'kind' | 'field' | 'of'>): string {
  return WORDS[kind].finding(FIELD_WORDS[field], of ?? 'another venue');
}

export function adviceOf({ kind }: Pick<Notice, 'kind'>): string {
  return WORDS[kind].advice;
}

/** Which notices are on. Reports each that begins or ends, once. */
export class Notices {
  readonly #notices = new Map<string, Notice>();
  readonly #onChange: (notice: Notice, isOn: boolean) => void;

  constructor(onChange: (notice: Notice, isOn: boolean) => void) {
    this.#onChange = onChange;
  }

  get all(): readonly Notice[] {
    return [...this.#notices.values()];
  }

  of(exchange: string): Notice[] {
    return this.all.filter((notice) => notice.exchange === exchange);
  }

  has(exchange: string, kind: NoticeKind, field: NoticeField): boolean {
    return this.#notices.has(`${exchange} ${kind} ${field}`);
  }

  /** Notices of an earlier process go on without being reported again, until there is enough to judge anew. */
  restore(notices: readonly Notice[]): void {
    for (const notice of notices) this.#notices.set(idOf(notice), notice);
  }

  set(notice: Omit<Notice, 'sinceMs'>, isOn: boolean, nowMs: number): void {
    const held = this.#notices.get(idOf(notice));
    if (!isOn && !held) return;
    const now = { ...notice, sinceMs: held?.sinceMs ?? nowMs };
    if (isOn) this.#notices.set(idOf(notice), now);
    else this.#notices.delete(idOf(notice));
    if (isOn !== (held !== undefined)) this.#onChange(now, isOn);
  }
}

function idOf({ exchange, kind, field }: Omit<Notice, 'sinceMs' | 'evidence'>): string {
  return `${exchange} ${kind} ${field}`;
}
