import { BlockList } from 'node:net';
import { systemClock } from '../../../src/base/clock.ts';
import { createGuardedPoster, type GuardedPoster } from '../../../src/base/http/guarded-post.ts';
import { HostNames } from '../../../src/base/http/host-names.ts';
import { type ReceivedPost, startReceiver } from '../receiver.ts';

interface ScriptedReply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** `null` never answers. */
type Script = ScriptedReply | null | ((post: ReceivedPost) => ScriptedReply | null);

export interface ScriptedReceiver {
  url: string;
  posts: ReceivedPost[];
  /** Replies to all further requests. */
  reply(script: Script): void;
  /** Whether it answers confirmations with their challenge. */
  confirm(isConfirming: boolean): void;
  close(): Promise<void>;
}

/** A local HTTP server that plays the other side of a channel. */
export async function startScriptedReceiver(first: Script = { status: 204 }): Promise<ScriptedReceiver> {
  const receiver = await startReceiver();
  const reply = (script: Script) => {
    receiver.answer = (response, post) => {
      const next = typeof script === 'function' ? script(post) : script;
      if (next) response.writeHead(next.status, next.headers).end(next.body ?? '');
    };
  };
  reply(first);
  const confirm = (isConfirming: boolean) => {
    receiver.isConfirming = isConfirming;
  };
  return { url: receiver.url, posts: receiver.posts, reply, confirm, close: receiver.close };
}

const names = new HostNames({ clock: systemClock });

/** The guard as in production, except that it allows this machine. */
export function posterToThisMachine(timeoutMs = 2_000): GuardedPoster {
  const allowedNetworks = new BlockList();
  allowedNetworks.addSubnet('127.0.0.0', 8, 'ipv4');
  return createGuardedPoster({ allowedNetworks, timeoutMs, names });
}

/** The guard as in production. */
export function strictPoster(): GuardedPoster {
  return createGuardedPoster({ allowedNetworks: new BlockList(), timeoutMs: 1_000, names });
}
