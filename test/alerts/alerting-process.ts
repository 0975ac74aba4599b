/**
 * A process that evaluates the made snapshots one after the other and delivers their alerts, until it is killed. It goes on
 * where the database says that the one before has stopped. It prints `stored` after each evaluation and waits for a line
 * before it delivers; it prints `done` at the end.
 */
import { createInterface } from 'node:readline';
import { PLANS } from '../../src/accounts/plans.ts';
import { SCOPES } from '../../src/accounts/scopes.ts';
import { fixedRing } from '../../src/accounts/vault/ring.ts';
import { keysOfSetting } from '../../src/accounts/vault/secret-keys.ts';
import { openVault } from '../../src/accounts/vault/vault.ts';
import { webhookChannel } from '../../src/alerts/channels/webhook.ts';
import { Delivering } from '../../src/alerts/delivery/delivering.ts';
import { Evaluating } from '../../src/alerts/evaluating.ts';
import { accountMessage, messageOf } from '../../src/alerts/messages.ts';
import { questionOf } from '../../src/alerts/question.ts';
import { openEndpointStore } from '../../src/alerts/store/endpoints.ts';
import { openOutbox } from '../../src/alerts/store/outbox.ts';
import { openRuleStore } from '../../src/alerts/store/rules.ts';
import { openStateStore } from '../../src/alerts/store/state.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { createGuardedPoster } from '../../src/base/http/guarded-post.ts';
import { HostNames } from '../../src/base/http/host-names.ts';
import { parseNetworks } from '../../src/base/http/networks.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { HOUR_MS } from '../../src/base/times.ts';
import type { TableSnapshot } from '../../src/market/timeline.ts';
import { funding } from '../../src/operations/funding.ts';
import type { DataSources } from '../../src/operations/operation.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { asOfMsOf, FIRST_MS, SNAPSHOTS, tableAt } from './made-snapshots.ts';

const [databaseUrl = '', sqliteFile = '', key = ''] = process.argv.slice(2);
const log = createLog('silent');
const clock = new ManualClock(asOfMsOf(SNAPSHOTS) + HOUR_MS);
const metrics = createMetrics();
const storage = await openStorage({ databaseUrl: databaseUrl || null, sqliteFile, log });
const vault = await openVault({ storage, clock, log, source: keysOfSetting([key]) });
const names = new HostNames({ clock });
const poster = createGuardedPoster({ allowedNetworks: parseNetworks(['loopback']), timeoutMs: 5_000, names });
const rules = openRuleStore(storage, clock);
const outbox = openOutbox(storage, clock);
let newest: TableSnapshot = { asOfMs: FIRST_MS, table: tableAt(0) };
const source = { at: () => newest, exactly: () => newest, after: () => newest.asOfMs };
const data = { venues: [], funding: source } as unknown as DataSources;
const context = { baseUrl: 'https://perpwire.example', data, operations: [funding] };
const states = openStateStore(storage, clock);
const evaluating = new Evaluating({
  ...{ storage, rules, states, lease: null, clock, log, metrics },
  callerOf: (accountId) => ({
    ...{ accountId, plan: PLANS.business, scopes: SCOPES, keyPrefix: '', keyId: null, slotId: '' },
  }),
  questionOf: ({ operation, query }, caller) => questionOf(operation, query, caller, context),
});
const delivering = new Delivering({
  ...{ outbox, rules, clock, log, metrics, endpoints: openEndpointStore(storage, clock, vault) },
  channelOf: () => webhookChannel(poster, clock),
  messageOf: (event, rule) =>
    rule
      ? messageOf(event, rule, { baseUrl: context.baseUrl, ring: fixedRing(key) })
      : accountMessage(event, context.baseUrl),
  isFree: () => false,
  notifyPaused: async () => undefined,
});

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const deliverAll = async () => {
  for (let waiting = await outbox.waitingCount(); waiting > 0; waiting = await outbox.waitingCount()) {
    clock.advanceMs(10_000);
    await delivering.run();
    await delivering.idle();
  }
};
const doneMs = Math.max(0, ...(await states.load()).progress.values());
for (let snapshot = 0; snapshot < SNAPSHOTS; snapshot++) {
  if (asOfMsOf(snapshot) <= doneMs) continue;
  newest = { asOfMs: asOfMsOf(snapshot), table: tableAt(snapshot) };
  await evaluating.run();
  process.stdout.write('stored\n');
  await lines.next();
  await deliverAll();
}
await deliverAll();
process.stdout.write('done\n');
process.exit(0);
