import type { Alerts, Endpoint } from '../../../../../alerts/alerts.ts';
import type { ChannelKind } from '../../../../../alerts/channels/channel.ts';
import { Problem } from '../../../../../base/problems.ts';
import { NEW_CHANNEL, type TypedRule } from './typed-rule.ts';

/** A new channel of the form cannot be added: its address is wrong, for example. */
export class ChannelRefused extends Error {
  readonly kind: string;
  readonly problem: Problem;

  constructor(kind: string, problem: Problem) {
    super(problem.detail);
    this.kind = kind;
    this.problem = problem;
  }
}

export interface NewChannels {
  /** The ticked channels, old and new. */
  endpointIds: readonly string[];
  /** Of a new webhook; shown once. */
  secret: string | null;
  /** Asks new receivers whether they want alerts. A webhook is asked when its server has the secret. */
  sendCodes(): Promise<Problem | null>;
  /** Removes what was added. */
  undo(): Promise<void>;
}

/** Adds the channels that the form names. Throws a ChannelRefused, with none added. */
export async function addChannels(
  alerts: Alerts,
  accountId: string,
  { endpoints, channels }: TypedRule,
): Promise<NewChannels> {
  const kept = endpoints.filter((id) => !id.startsWith(NEW_CHANNEL));
  const added: Endpoint[] = [];
  const undo = async () => {
    for (const { id } of added) await alerts.deleteEndpoint(accountId, id);
  };
  let shown: string | null = null;
  for (const id of endpoints.filter((one) => one.startsWith(NEW_CHANNEL))) {
    const kind = id.slice(NEW_CHANNEL.length) as ChannelKind;
    try {
      const { endpoint, secret } = await alerts.createEndpoint(accountId, kind, channels.get(kind) ?? {});
      added.push(endpoint);
      shown = secret ?? shown;
    } catch (problem) {
      await undo();
      if (problem instanceof Problem) throw new ChannelRefused(kind, problem);
      throw problem;
    }
  }
  return {
    endpointIds: [...kept, ...added.map(({ id }) => id)],
    secret: shown,
    undo,
    sendCodes: async () => {
      for (const { id, kind, state } of added) {
        if (state !== 'unconfirmed' || kind === 'webhook') continue;
        const { result } = await alerts.sendCode(accountId, id);
        if (!result.isDelivered) return codeNotSent(result.reason);
      }
      return null;
    },
  };
}

export function codeNotSent(reason: string): Problem {
  return new Problem('invalid-parameter', `The code could not be sent: ${reason}.`);
}
