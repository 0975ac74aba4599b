import type { AlertMessage } from '../message.ts';

const CHANNEL_KINDS = ['webhook', 'email', 'telegram', 'discord', 'slack', 'ntfy'] as const;

export type ChannelKind = (typeof CHANNEL_KINDS)[number];

interface EndpointOwner {
  accountId: string;
  /** The verified address of the account; null for an account without one. */
  email: string | null;
}

interface NewTarget<Target> {
  target: Target;
  /** Shown to the owner once; absent if the channel needs none. */
  secret?: string;
}

/** `isConfirmed`: the receiver has answered a confirmation with its challenge. */
export type SendResult = { isDelivered: true; isConfirmed?: true } | SendFailure;

export interface SendFailure {
  isDelivered: false;
  /** For the owner, in a few words: "HTTP 503", "no answer within 10 s". Never more of the reply than its start. */
  reason: string;
  /** False: the same message will never be accepted. */
  isRetryable: boolean;
  /** True: the target is gone for good, such as a bot that was blocked. The endpoint is paused. */
  isGone?: boolean;
  /** The receiver wants a pause of this length. */
  retryAfterMs?: number;
}

/** A way to reach people. An endpoint is one target of a channel: an address, a chat. */
export interface Channel<Target = unknown> {
  readonly kind: ChannelKind;
  /** For menus: "Webhook", "E-mail". */
  readonly title: string;
  /** False if the operator has not configured it. */
  readonly isOffered: boolean;
  /** A target from what the owner entered, by name of the field. Throws a Problem that says what is allowed. */
  create(
    input: Readonly<Record<string, string>>,
    owner: EndpointOwner,
  ): NewTarget<Target> | Promise<NewTarget<Target>>;
  /** Parses a target that was stored as JSON. Throws if it has another shape. */
  parseTarget(stored: unknown): Target;
  /** The target in a few words, without secrets: a host name, an address. */
  describe(target: Target): string;
  /** Whether the receiver must prove that it wants messages before it gets the first one. */
  readonly needsConfirmation: boolean;
  /** Equal for targets that are the same receiver. It may be secret. */
  addressOf(target: Target): string;
  /** The host that gets the requests, if owners choose it freely; absent or null for products that limit their users themselves. */
  hostOf?(target: Target): string | null;
  /** The target with a new secret. The old one stays valid for a while. */
  rotateSecret?(target: Target, nowMs: number): Required<NewTarget<Target>>;
  /** Minutes between the digests of this target; null or absent: each message is sent at once, alone. */
  digestMinutes?(target: Target): number | null;
  /**
   * Sends one message, or all messages of a digest. Never rejects for a fault of the receiver. The signal aborts at the
   * deadline of the attempt or when the process stops.
   */
  send(target: Target, messages: readonly AlertMessage[], signal: AbortSignal): Promise<SendResult>;
}

/** Checks the types inside of a channel and erases them outside. */
export function defineChannel<Target>(channel: Channel<Target>): Channel {
  return channel as unknown as Channel;
}
