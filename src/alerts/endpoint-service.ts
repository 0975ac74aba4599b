import type { AccountStore } from '../accounts/account-store.ts';
import { type LimitAttempts, takeAll } from '../accounts/attempts/memory.ts';
import { tokenHash } from '../accounts/secrets.ts';
import type { Clock } from '../base/clock.ts';
import { Problem } from '../base/problems.ts';
import { HOUR_MS, SECOND_MS } from '../base/times.ts';
import type { Alerts, Endpoint, TestSending } from './alerts.ts';
import type { Channel } from './channels/channel.ts';
import { newCode } from './channels/codes.ts';
import type { AlertMessage } from './message.ts';
import { confirmation, endpointTest } from './messages.ts';
import { type EndpointStore, readTarget, type StoredEndpoint } from './store/endpoints.ts';
import type { RuleStore } from './store/rules.ts';

export interface EndpointServiceOptions {
  rules: Pick<RuleStore, 'list'>;
  endpoints: EndpointStore;
  channels: readonly Channel[];
  accounts: Pick<AccountStore, 'find'>;
  limitAttempts: LimitAttempts;
  baseUrl: string;
  clock: Clock;
}

type EndpointActions = Pick<
  Alerts,
  | 'endpoints'
  | 'createEndpoint'
  | 'sendCode'
  | 'confirmEndpoint'
  | 'testEndpoint'
  | 'rotateSecret'
  | 'resumeEndpoint'
  | 'deleteEndpoint'
>;

interface EndpointService {
  actions: EndpointActions;
  /** Throws a Problem if the account has no such endpoint. */
  find(accountId: string, endpointId: string): Promise<StoredEndpoint>;
  /** Sends a test to endpoints of the account, those that are confirmed. */
  test(endpoints: readonly StoredEndpoint[], message: AlertMessage): Promise<TestSending[]>;
  /** Counts a test, and throws a Problem if there were too many. */
  limitTests(accountId: string): Promise<void>;
}

const MAX_ENDPOINTS = 20;
const SEND_TIMEOUT_MS = 20 * SECOND_MS;
/** 49 bits, which nobody guesses in a few attempts. */
const CODE_LENGTH = 10;
const CODE_LIFETIME_MS = HOUR_MS;

/** What an account does with its endpoints. Whatever sends something to an address that its owner chose is limited. */
export function endpointService(options: EndpointServiceOptions): EndpointService {
  const { rules, endpoints, channels, accounts, limitAttempts, baseUrl, clock } = options;
  const limit = (name: string, most: number) => limitAttempts(`alert-${name}`, { most, withinMs: HOUR_MS });
  const tests = limit('test', 30);
  const codes = limit('code', 10);
  // Nobody has said yet that messages are wanted at the address, so it gets few, whoever asks for them.
  const codesOfAddress = limit('code-address', 5);
  const codesOfHost = limit('code-host', 30);
  const entries = limit('code-entry', 10);
  const rotations = limit('rotate', 5);

  const find = async (accountId: string, endpointId: string): Promise<StoredEndpoint> => {
    const endpoint = await endpoints.find(endpointId);
    if (endpoint?.accountId !== accountId)
      throw new Problem('not-found', 'This account has no such endpoint.');
    return endpoint;
  };
  const channelOf = (kind: string): Channel => {
    const channel = channels.find((one) => one.kind === kind);
    if (!channel?.isOffered)
      throw new Problem(
        'invalid-parameter',
        `This server does not offer the channel "${kind.slice(0, 40)}".`,
      );
    return channel;
  };
  const addressOf = (endpoint: StoredEndpoint): string | null => {
    const channel = channels.find(({ kind }) => kind === endpoint.kind);
    const stored = readTarget(endpoint);
    return channel && stored !== null ? channel.addressOf(channel.parseTarget(stored)) : null;
  };
  const send = async (endpoint: StoredEndpoint, message: AlertMessage): Promise<TestSending> => {
    const channel = channelOf(endpoint.kind);
    const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
    const result = await channel.send(channel.parseTarget(endpoint.target()), [message], signal);
    return { endpoint: shown(endpoint), result };
  };
  const test: EndpointService['test'] = (all, message) =>
    Promise.all(
      all.map(async (endpoint) => {
        if (endpoint.state !== 'unconfirmed') return await send(endpoint, message);
        const reason = 'the channel is not confirmed';
        return { endpoint: shown(endpoint), result: { isDelivered: false, reason, isRetryable: false } };
      }),
    );
  const limitTests = async (accountId: string) => refuse(await tests.take(accountId), 'tests');

  const actions: EndpointActions = {
    endpoints: async (accountId) => (await endpoints.list(accountId)).map(shown),
    createEndpoint: async (accountId, kind, input) => {
      const channel = channelOf(kind);
      const account = await accounts.find(accountId);
      const { target, secret } = await channel.create(input, { accountId, email: account?.email ?? null });
      const address = channel.addressOf(target);
      const endpoint = await endpoints.create(
        accountId,
        { kind, description: channel.describe(target), target, isConfirmed: !channel.needsConfirmation },
        (existing) => {
          const same = existing.find((one) => one.kind === kind && addressOf(one) === address);
          if (same)
            throw new Problem(
              'invalid-parameter',
              `You have this address already: ${same.description}. Use it for as many rules as you like.`,
            );
          if (existing.length >= MAX_ENDPOINTS)
            throw new Problem('plan-limit', `An account has at most ${MAX_ENDPOINTS} endpoints; delete one.`);
        },
      );
      return { endpoint: shown(endpoint), secret: secret ?? null };
    },
    sendCode: async (accountId, endpointId) => {
      const endpoint = await find(accountId, endpointId);
      if (endpoint.state !== 'unconfirmed')
        throw new Problem('invalid-parameter', 'The endpoint needs no confirmation.');
      const channel = channelOf(endpoint.kind);
      const target = channel.parseTarget(endpoint.target());
      const host = channel.hostOf?.(target) ?? null;
      const waitSeconds = await takeAll([
        [codes, accountId],
        [codesOfAddress, tokenHash(channel.addressOf(target))],
        ...(host === null ? [] : [[codesOfHost, host] as const]),
      ]);
      refuse(waitSeconds, 'codes for this address');
      const code = newCode(CODE_LENGTH);
      const nowMs = clock.nowMs();
      await endpoints.change(endpointId, {
        code: { hash: tokenHash(code), untilMs: nowMs + CODE_LIFETIME_MS },
      });
      const sent = await send(endpoint, confirmation(endpointId, code, nowMs, baseUrl));
      if (!sent.result.isDelivered || !sent.result.isConfirmed) return sent;
      await endpoints.change(endpointId, { confirmedAtMs: nowMs, code: null });
      return { ...sent, endpoint: shown(await find(accountId, endpointId)) };
    },
    confirmEndpoint: async (accountId, endpointId, typed) => {
      const endpoint = await find(accountId, endpointId);
      if (endpoint.state !== 'unconfirmed') return;
      refuse(await entries.take(accountId), 'codes');
      const hash = tokenHash(typed.replaceAll(/[\s-]/g, '').toUpperCase());
      if (endpoint.code === null || endpoint.code.hash !== hash || endpoint.code.untilMs <= clock.nowMs())
        throw new Problem(
          'invalid-parameter',
          'This is not the code that was sent last, or it is older than an hour. Send a new one.',
        );
      await endpoints.change(endpointId, { confirmedAtMs: clock.nowMs(), code: null });
    },
    testEndpoint: async (accountId, endpointId) => {
      const endpoint = await find(accountId, endpointId);
      await limitTests(accountId);
      const [sent] = await test([endpoint], endpointTest(endpoint.id, clock.nowMs(), baseUrl));
      if (!sent) throw new Error('a test of one endpoint has one result');
      return sent;
    },
    rotateSecret: async (accountId, endpointId) => {
      const endpoint = await find(accountId, endpointId);
      const channel = channelOf(endpoint.kind);
      if (!channel.rotateSecret)
        throw new Problem('invalid-parameter', `The channel ${channel.title} has no secret.`);
      refuse(await rotations.take(accountId), 'new secrets');
      const { target, secret } = channel.rotateSecret(channel.parseTarget(endpoint.target()), clock.nowMs());
      await endpoints.setTarget(endpointId, channel.describe(target), target);
      return secret;
    },
    resumeEndpoint: async (accountId, endpointId) => {
      await find(accountId, endpointId);
      await endpoints.change(endpointId, {
        ...{ pausedAtMs: null, pausedReason: null, failingSinceMs: null, failures: 0, notBeforeMs: 0 },
      });
    },
    deleteEndpoint: async (accountId, endpointId) => {
      await find(accountId, endpointId);
      const user = (await rules.list(accountId)).find(({ endpointIds }) => endpointIds.includes(endpointId));
      if (user)
        throw new Problem(
          'invalid-parameter',
          `The endpoint is used by the rule “${user.name}”; change or delete the rule first.`,
        );
      await endpoints.delete(endpointId);
    },
  };
  return { actions, find, test, limitTests };
}

/** Throws a Problem if there were too many attempts. */
function refuse(waitSeconds: number | null, what: string): void {
  if (waitSeconds === null) return;
  const minutes = Math.ceil(waitSeconds / 60);
  throw new Problem('rate-limited', `Too many ${what}; try again in ${minutes} min.`);
}

/** Without the target and the code, which are secret. */
function shown(endpoint: StoredEndpoint): Endpoint {
  const { target: _target, code: _code, failures: _failures, notBeforeMs: _notBeforeMs, ...rest } = endpoint;
  return rest;
}
