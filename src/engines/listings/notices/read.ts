import type { ListingKind } from '../../../history/listings/model.ts';
import type { Announcement } from '../../../venues/observations.ts';
import { type Clause, clausesOf } from './clauses.ts';
import { dateOf } from './dates.ts';
import { contractsIn, type NamedContract } from './symbols.ts';
import { plainText, sentencesOf } from './text.ts';
import { onlyZoneOffset } from './times.ts';
import * as words from './words.ts';

/** What a notice announces about one contract. */
export interface NoticeEvent {
  kind: ListingKind;
  isCancelled: boolean;
  /** The notice reports something that has already happened. */
  hasHappened: boolean;
  base: string;
  /** Null: not stated, so the venue's usual quote. */
  quote: string | null;
  /** Null: the notice states no exact time. */
  effectiveAtMs: number | null;
  /** The previous date is withdrawn, and there is no new one. */
  isDateWithdrawn: boolean;
}

/** `other`: about something else. `unclear`: about a listing or delisting of perpetuals, but ambiguous. */
type NoticeReading =
  | { outcome: 'read'; events: NoticeEvent[]; hasUnnamedContracts: boolean }
  | { outcome: 'other' | 'unclear'; reason: string };

const other = (reason: string): NoticeReading => ({ outcome: 'other', reason });
const unclear = (reason: string): NoticeReading => ({ outcome: 'unclear', reason });

const FUTURES_CATEGORY = /futures|derivatives|perpetual|contract/i;
const OTHER_CATEGORY = /\bspot\b|earn|margin|option|activit|product|maintenance|convert|copy/i;

/** The facts are at the beginning of a notice, and a huge one must not take long to read. */
const MAX_TITLE_LENGTH = 1000;
const MAX_BODY_LENGTH = 16_000;

type Notice = Pick<Announcement, 'title' | 'body' | 'category' | 'publishedAtMs'>;

/** Reads one notice. Only explicit statements count: precision before completeness. */
export function readNotice({ title: rawTitle, body, category, publishedAtMs }: Notice): NoticeReading {
  const title = plainText(rawTitle.slice(0, MAX_TITLE_LENGTH));
  const text = plainText((body ?? '').slice(0, MAX_BODY_LENGTH));
  const sentences = sentencesOf(text);
  if (words.CAMPAIGN.test(title)) return other('promotion');
  const hasAction = words.DELIST.test(title) || words.LIST.test(title);
  if (words.RULES.test(title) && !words.POSTPONE.test(title)) return other('change of contract rules');
  const isTitlePerpetual = words.PERPETUAL.test(title);
  const isFutures = FUTURES_CATEGORY.test(category);
  if (!isTitlePerpetual && OTHER_CATEGORY.test(category) && !isFutures) return other('other product');
  const about = sentences.filter((sentence) => words.PERPETUAL.test(sentence));
  if (!isTitlePerpetual && words.SPOT.test(title)) return other('other product');
  if (!isTitlePerpetual && !isFutures && !about.some((sentence) => contractsIn(sentence).length > 0))
    return other('not about perpetuals');
  if (words.DATED.test(title) && !/perpetual|\bperps?\b/i.test(title)) return other('dated futures');
  const statement =
    hasAction || words.CANCEL.test(title) || words.POSTPONE.test(title) ? title : about.join(' ');
  const isDelisting = words.DELIST.test(statement);
  const isListing = words.LIST.test(statement.replace(/\bdelist\w*/gi, ''));
  if (words.RENAME.test(title)) return unclear('renames a contract');
  if (!isDelisting && !isListing) {
    const isChange = words.CANCEL.test(title) || words.POSTPONE.test(title);
    return isChange && isTitlePerpetual
      ? unclear('does not say what is changed')
      : other('no listing or delisting');
  }
  const isBoth = isDelisting && isListing && !isOneAction(statement);
  if (isBoth) return unclear('both a listing and a delisting');
  const kind = isDelisting ? 'delisting' : 'listing';
  const zoneOffsetMs = onlyZoneOffset(`${title}\n${text}`);
  const clauses = [title, ...sentences].flatMap((sentence) =>
    clausesOf(sentence, publishedAtMs, zoneOffsetMs),
  );
  const contracts = namedContracts(title, sentences, isTitlePerpetual || isFutures);
  if (contracts.length === 0) return unclear('names no contract');
  // "And 5 others" that the text does not name: the named ones are used, the others need manual review.
  const hasUnnamedContracts = words.AND_OTHERS.test(title) && contracts.length <= contractsIn(title).length;
  return {
    outcome: 'read',
    hasUnnamedContracts,
    events: eventsOf(kind, statement, contracts, clauses, `${title}\n${text}`),
  };
}

/** Both verbs in one statement, as in "postpones the listing" or "remove the following list". */
function isOneAction(statement: string): boolean {
  return (
    /\b(?:cancel\w*|postpon\w*|delay\w*|withdraw\w*|reschedul\w*|updat\w*)\b/i.test(statement) ||
    /\blist of\b|\bfollowing list\b|\bnew (?:time|date|schedule)/i.test(statement)
  );
}

/** The contracts of the title, and those of the body if the title names none or says that there are more. */
function namedContracts(title: string, sentences: readonly string[], isPerpetual: boolean): NamedContract[] {
  const inTitle = isMixed(title) ? contractsIn(perpetualHalf(title)) : contractsIn(title);
  const wantsBody = inTitle.length === 0 || words.AND_MORE.test(title);
  const inBody = wantsBody
    ? sentences
        .filter((sentence) => !words.SPOT.test(sentence) || words.PERPETUAL.test(sentence))
        .filter((sentence) => isPerpetual || words.PERPETUAL.test(sentence))
        .filter((sentence) => !words.RULES.test(sentence) && !words.CAMPAIGN.test(sentence))
        .flatMap((sentence) => contractsIn(isMixed(sentence) ? perpetualHalf(sentence) : sentence))
    : [];
  const named = new Map<string, NamedContract>();
  for (const contract of [...inTitle, ...inBody]) {
    const key = contract.base;
    const known =
      named.get(`${key} ${contract.quote ?? ''}`) ??
      (contract.quote === null ? findBase(named, key) : undefined);
    if (known) continue;
    if (contract.quote !== null) named.delete(`${key} `);
    named.set(`${key} ${contract.quote ?? ''}`, contract);
  }
  return [...named.values()];
}

function findBase(named: ReadonlyMap<string, NamedContract>, base: string): NamedContract | undefined {
  return [...named.values()].find((contract) => contract.base === base);
}

function isMixed(text: string): boolean {
  return words.SPOT.test(text) && words.PERPETUAL.test(text);
}

/** The parts about perpetuals of a text about several products. */
function perpetualHalf(text: string): string {
  return text
    .split(/;|, | and | & |\|/)
    .filter((piece) => words.PERPETUAL.test(piece) && !words.SPOT.test(piece))
    .join('; ');
}

function eventsOf(
  kind: ListingKind,
  statement: string,
  contracts: readonly NamedContract[],
  clauses: readonly Clause[],
  whole: string,
): NoticeEvent[] {
  const isCancelled = words.CANCEL.test(statement);
  const isPostponed = !isCancelled && words.POSTPONE.test(statement);
  const hasHappened = !isCancelled && !isPostponed && words.HAPPENED.test(statement);
  return contracts.map((contract) => {
    const effectiveAtMs = isCancelled ? null : dateOf(kind, contract, contracts, clauses, isPostponed);
    const isDateWithdrawn =
      isPostponed &&
      effectiveAtMs === null &&
      (words.OPEN_ENDED.test(whole) || !clauses.some((clause) => clause.time));
    return {
      kind,
      isCancelled,
      hasHappened,
      base: contract.base,
      quote: contract.quote,
      effectiveAtMs,
      isDateWithdrawn,
    };
  });
}
