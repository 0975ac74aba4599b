import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seal } from '../../src/accounts/vault/seal.ts';
import { keysOfSetting, secretKeyOf } from '../../src/accounts/vault/secret-keys.ts';
import { targetName } from '../../src/accounts/vault/stored-secrets.ts';
import { openVault } from '../../src/accounts/vault/vault.ts';
import { type Channel, defineChannel } from '../../src/alerts/channels/channel.ts';
import { webhookChannel } from '../../src/alerts/channels/webhook.ts';
import { Delivering } from '../../src/alerts/delivery/delivering.ts';
import type { AlertMessage } from '../../src/alerts/message.ts';
import { openEndpointStore } from '../../src/alerts/store/endpoints.ts';
import { openOutbox } from '../../src/alerts/store/outbox.ts';
import { openRuleStore } from '../../src/alerts/store/rules.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { createGuardedPoster } from '../../src/base/http/guarded-post.ts';
import { HostNames } from '../../src/base/http/host-names.ts';
import { parseNetworks } from '../../src/base/http/networks.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { GIVE_UP_MS } from '../support/until.ts';

export const START_MS = Date.UTC(2026, 10, 16, 9, 30);
interface DeliveryOptions {
  perMinute?: { address: number; host: number };
  /** Real time: receivers that are silent really are. By default only a hang reaches it. */
  postTimeoutMs?: number;
}

/** The delivery of alerts with a database of its own: no market, no rules but one, events that the test stores. */
export async function openDelivery({ perMinute, postTimeoutMs = GIVE_UP_MS }: DeliveryOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-alerts-'));
  const clock = new ManualClock(START_MS);
  const log = createLog('silent');
  const metrics = createMetrics();
  const storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'test.sqlite'), log });
  const { db } = storage;
  const source = keysOfSetting(['a key for tests of at least 32 characters']);
  const vault = await openVault({ storage, clock, log, source });
  const poster = createGuardedPoster({
    allowedNetworks: parseNetworks(['loopback']),
    timeoutMs: postTimeoutMs,
    names: new HostNames({ clock }),
  });
  const digests: AlertMessage[][] = [];
  const digest: Channel = defineChannel<unknown>({
    kind: 'email',
    title: 'Digest',
    isOffered: true,
    create: () => ({ target: {} }),
    parseTarget: () => ({}),
    describe: () => 'digest',
    needsConfirmation: false,
    addressOf: () => 'digest',
    digestMinutes: () => 60,
    send: async (_target, messages) => {
      digests.push([...messages]);
      return { isDelivered: true };
    },
  });
  const channels = [webhookChannel(poster, clock), digest];
  const [rules, endpoints, outbox] = [
    openRuleStore(storage, clock),
    openEndpointStore(storage, clock, vault),
    openOutbox(storage, clock),
  ];
  const accountId = 'acc_1';
  const addAccount = async (id: string) => {
    await db
      .insertInto('accounts')
      .values({
        ...{ id, name: 'owner', email: null, plan: 'business', host_tier: null, revision: 0 },
        ...{ created_at_ms: START_MS, suspended_at_ms: null, deleted_at_ms: null, taker_fees: null },
      })
      .execute();
    return id;
  };
  await addAccount(accountId);
  const rule = await rules.create(
    accountId,
    {
      name: 'Rule',
      operation: 'funding',
      query: '',
      condition: { kind: 'enters' },
      everyMinutes: 0,
      endpointIds: [],
    },
    1,
  );
  if (!rule) throw new Error('no rule');
  const notices: { endpointId: string; reason: string }[] = [];
  const open = () =>
    new Delivering({
      ...{ outbox, endpoints, rules, clock, log, metrics, ...(perMinute ? { perMinute } : {}) },
      channelOf: ({ kind }) => channels.find((one) => one.kind === kind) ?? null,
      messageOf: ({ eventId, kind, row, asOfMs, text }, of) => ({
        ...{ eventId, isTest: false, kind, row, asOfMs, text, pageUrl: '', pauseUrl: '' },
        ...{ ruleId: of?.id ?? '', ruleName: of?.name ?? '', operation: of?.operation ?? '' },
      }),
      isFree: (id) => id.startsWith('acc_free'),
      notifyPaused: async (endpoint, reason) => {
        notices.push({ endpointId: endpoint.id, reason });
      },
    });
  let delivering = open();
  let count = 0;
  return {
    clock,
    rules,
    rule,
    endpoints,
    outbox,
    notices,
    digests,
    accountId,
    webhook: async (url: string, owner = accountId, isConfirmed = true) => {
      const target = { url, secrets: [{ value: 'whsec_test', untilMs: null }] };
      const endpoint = { kind: 'webhook', description: url, target, isConfirmed } as const;
      return (await endpoints.create(owner, endpoint)).id;
    },
    account: addAccount,
    /** Encrypts the address of an endpoint with a key that the service does not have. */
    loseKeyOf: async (endpointId: string) => {
      const lost = secretKeyOf('a key of at least thirty-two characters, lost');
      const target = seal(lost, targetName(endpointId), '{}');
      await db.updateTable('alert_endpoints').set({ target }).where('id', '=', endpointId).execute();
    },
    digestEndpoint: async () => {
      const endpoint = { kind: 'email', description: 'digest', target: {}, isConfirmed: true } as const;
      return (await endpoints.create(accountId, endpoint)).id;
    },
    /** Stores an event for the endpoints, as an evaluation does. */
    add: async (...endpointIds: string[]) => {
      const eventId = `evt_${++count}`;
      const nowMs = clock.nowMs();
      await db
        .insertInto('alert_events')
        .values({
          ...{ event_id: eventId, rule_id: rule.id, account_id: accountId, kind: 'entered', row_key: '[]' },
          ...{ row: '{}', as_of_ms: nowMs, text: `Event ${count}.`, created_at_ms: nowMs },
        })
        .execute();
      for (const endpointId of endpointIds)
        await db
          .insertInto('alert_deliveries')
          .values({
            ...{ event_id: eventId, endpoint_id: endpointId, state: 'waiting', attempts: 0, reason: null },
            account_id: (await endpoints.find(endpointId))?.accountId ?? accountId,
            ...{ next_attempt_ms: nowMs, last_attempt_ms: null, created_at_ms: nowMs },
          })
          .execute();
      return eventId;
    },
    /** One round, and the attempts that it started. */
    round: async () => {
      await delivering.run();
      await delivering.idle();
    },
    start: () => delivering.run(),
    /** As after a restart of the process: attempts under way are given up. */
    restart: async () => {
      await delivering.stop(0);
      delivering = open();
    },
    deliveries: async () => await outbox.deliveries(accountId, null, 100),
    close: async () => {
      await delivering.stop(0);
      await poster.close();
      await vault.close();
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
