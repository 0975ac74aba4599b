import type { ListingKind } from '../../../history/listings/model.ts';
import type { Announcement } from '../../../venues/observations.ts';
import { type Clause, clausesOf } from './clauses.ts';
import { dateOf } from './dates.ts';
import { contractsIn, type NamedContract } from './symbols.ts';
import { plainText, sentencesOf } from './text.ts';
import { onlyZoneOffset } from './times.ts';
import * as words from './words.ts';

/** What a notice says of one contract. */
export interface NoticeEvent {
  kind: ListingKind;
  isCancelled: boolean;
  /** The notice tells of something that has taken place. */
  hasHappened: boolean;
  base: string;
  /** Null: the venue's usual one. */
  quote: string | null;
  /** Null: the notice fixes no moment. */
  effectiveAtMs: number | null;
  /** The former date no longer holds, and there is no new one. */
  isDateWithdrawn: boolean;
}

/** `other`: about something else. `unclear`: about perpetuals coming or going, but not readable with certainty. */
export type NoticeReading =
  | { outcome: 'read'; events: NoticeEvent[]; speaksOfMore: boolean }
  | { outcome: 'other' | 'unclear'; reason: string };

const other = (reason: string): NoticeReading => ({ outcome: 'other', reason });
const unclear = (reason: string): NoticeReading => ({ outcome: 'unclear', reason });

const FUTURES_CATEGORY = /futures|derivatives|perpetual|contract/i;
const OTHER_CATEGORY = /\bspot\b|earn|margin|option|activit|product|maintenance|convert|copy/i;

/** What a notice has to say stands at its beginning; a hostile one must not keep us busy. */
const MAX_TITLE_LENGTH = 1000;
const MAX_BODY_LENGTH = 16_000;

type Notice = Pick<Announcement, 'title' | 'body' | 'category' | 'publishedAtMs'>;

/** Reads one notice. What it does not say in so many words is not made up: precision before completeness. */
export function readNotice({ title: rawTitle, body, category, publishedAtMs }: Notice): NoticeReading {
  const title = plainText(rawTitle.slice(0, MAX_TITLE_LENGTH));
  const text = plainText((body ?? '').slice(0, MAX_BODY_LENGTH));
  const sentences = sentencesOf(text);
  if (words.CAMPAIGN.test(title)) return other('an invitation');
  const hasAction = words.DELIST.test(title) || words.LIST.test(title);
  if (words.RULES.test(title) && !words.POSTPONE.test(title)) return other('a change of rules');
  const isTitlePerpetual = words.PERPETUAL.test(title);
  const isFutures = FUTURES_CATEGORY.test(category);
  if (!isTitlePerpetual && OTHER_CATEGORY.test(category) && !isFutures) return other('another product');
  const about = sentences.filter((sentence) => words.PERPETUAL.test(sentence));
  if (!isTitlePerpetual && words.SPOT.test(title)) return other('another product');
  if (!isTitlePerpetual && !isFutures && !about.some((sentence) => contractsIn(sentence).length > 0))
    return other('not about perpetuals');
  if (words.DATED.test(title) && !/perpetual|\bperps?\b/i.test(title)) return other('dated futures');
  const said = hasAction || words.CANCEL.test(title) || words.POSTPONE.test(title) ? title : about.join(' ');
  const isDelisting = words.DELIST.test(said);
  const isListing = words.LIST.test(said.replace(/\bdelist\w*/gi, ''));
  if (words.RENAME.test(title)) return unclear('a contract gets another name');
  if (!isDelisting && !isListing) {
    const isChange = words.CANCEL.test(title) || words.POSTPONE.test(title);
    return isChange && isTitlePerpetual
      ? unclear('a change of something unnamed')
      : other('nothing is listed or delisted');
  }
  const isBoth = isDelisting && isListing && !isOneAction(said);
  if (isBoth) return unclear('both a listing and a delisting');
  const kind = isDelisting ? 'delisting' : 'listing';
  const zoneOffsetMs = onlyZoneOffset(`${title}\n${text}`);
  const clauses = [title, ...sentences].flatMap((sentence) =>
    clausesOf(sentence, publishedAtMs, zoneOffsetMs),
  );
  const contracts = namedContracts(title, sentences, isTitlePerpetual || isFutures);
  if (contracts.length === 0) return unclear('no contract is named');
  // "And 5 others" that nobody names: what is named is good, the rest is for a person.
  const speaksOfMore = words.AND_OTHERS.test(title) && contracts.length <= contractsIn(title).length;
  return {
    outcome: 'read',
    speaksOfMore,
    events: eventsOf(kind, said, contracts, clauses, `${title}\n${text}`),
  };
}

/** "Will no longer be listed", "remove from the listing": one thing said with two words. */
function isOneAction(said: string): boolean {
  return (
    /\b(?:cancel\w*|postpon\w*|delay\w*|withdraw\w*|reschedul\w*|updat\w*)\b/i.test(said) ||
    /\blist of\b|\bfollowing list\b|\bnew (?:time|date|schedule)/i.test(said)
  );
}

/** The contracts of the title; those of the body where the title names none or says that there are more. */
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

/** Of a text about several products, the pieces about perpetuals. */
function perpetualHalf(text: string): string {
  return text
    .split(/;|, | and | & |\|/)
    .filter((piece) => words.PERPETUAL.test(piece) && !words.SPOT.test(piece))
    .join('; ');
}

function eventsOf(
  kind: ListingKind,
  said: string,
  contracts: readonly NamedContract[],
  clauses: readonly Clause[],
  whole: string,
): NoticeEvent[] {
  const isCancelled = words.CANCEL.test(said);
  const isPostponed = !isCancelled && words.POSTPONE.test(said);
  const hasHappened = !isCancelled && !isPostponed && words.HAPPENED.test(said);
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
