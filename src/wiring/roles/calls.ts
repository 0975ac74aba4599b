import { unpack } from '../../cluster/envelope.ts';
import type { PairCall } from '../../cluster/pair-calls.ts';
import type { PairName } from '../../engines/backtest/pair-view.ts';
import { pairNameOf } from '../backtest/calls.ts';

/** Asks the owner of a venue, or with null the owners of all, to send the engine everything they know. */
export interface KnowledgeCall {
  kind: 'ask-knowledge';
  slug: string | null;
}

/** What any process may send to the collectors. */
export type CollectorCall = KnowledgeCall | PairCall;

/** Null for a call of another version or shape. */
export function parseCall(bytes: Buffer): CollectorCall | null {
  const head = unpack(bytes)?.head;
  if (head?.kind === 'ask-knowledge') {
    const { kind, slug } = head;
    return slug === null || typeof slug === 'string' ? { kind, slug } : null;
  }
  if (head?.kind !== 'ask-pair') return null;
  const { kind, id, replyTo } = head;
  const name = parsePairName(head.name);
  return typeof id === 'string' && typeof replyTo === 'string' && name ? { kind, id, replyTo, name } : null;
}

function parsePairName(value: unknown): PairName | null {
  try {
    return pairNameOf(value);
  } catch {
    return null;
  }
}
