import type { Channel } from '../../../src/alerts/channels/channel.ts';
import { Problem } from '../../../src/base/problems.ts';

export const OWNER = { accountId: 'account', email: 'ada@example.com' };
/** A signal that does not abort. */
export const NEVER = new AbortController().signal;

/** A target as it is after it was stored. */
export async function targetOf(channel: Channel, input: Record<string, string>): Promise<unknown> {
  const { target } = await channel.create(input, OWNER);
  return channel.parseTarget(JSON.parse(JSON.stringify(target)));
}

/** Why the channel refuses what the owner entered; empty if it does not. */
export async function refusalOf(channel: Channel, input: Record<string, string>): Promise<string> {
  try {
    await channel.create(input, OWNER);
  } catch (error) {
    if (error instanceof Problem) return error.detail;
    throw error;
  }
  return '';
}
