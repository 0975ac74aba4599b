import type { Accounts } from '../../accounts/accounts.ts';
import { PLANS } from '../../accounts/plans.ts';
import { SCOPES } from '../../accounts/scopes.ts';
import type { Alerts } from '../../alerts/alerts.ts';
import type { TelegramLinking } from '../../alerts/channels/telegram/linking.ts';
import { webhookChannel } from '../../alerts/channels/webhook.ts';
import { Delivering } from '../../alerts/delivery/delivering.ts';
import { ALERTS_JOB, Evaluating } from '../../alerts/evaluating.ts';
import { accountMessage, messageOf } from '../../alerts/messages.ts';
import { PAUSE_LINK_SECRET } from '../../alerts/pause-links.ts';
import type { PairHistory } from '../../alerts/preview/last-day.ts';
import { questionOf } from '../../alerts/question.ts';
import { alertsService } from '../../alerts/service.ts';
import { readBudgets } from '../../alerts/store/budgets.ts';
import { openEndpointStore } from '../../alerts/store/endpoints.ts';
import { openOutbox } from '../../alerts/store/outbox.ts';
import { openRuleStore } from '../../alerts/store/rules.ts';
import { openStateStore } from '../../alerts/store/state.ts';
import { createGuardedPoster } from '../../base/http/guarded-post.ts';
import type { HostNames } from '../../base/http/host-names.ts';
import { parseNetworks } from '../../base/http/networks.ts';
import { Jobs } from '../../base/jobs.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { HOUR_MS, SECOND_MS } from '../../base/times.ts';
import { JobLock } from '../../cluster/lock.ts';
import type { DataSources } from '../../operations/operation.ts';
import { OPERATIONS } from '../../operations/registry.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import { FencedError } from '../../storage/fences.ts';
import type { People } from '../doors/people.ts';
import type { Foundation } from '../foundation.ts';
import type { Part } from '../part.ts';
import { openAlertChannels } from './channels.ts';

export interface AlertsPart extends Part {
  alerts: Alerts;
  telegram: TelegramLinking | null;
  /** Evaluation and delivery. */
  jobs: Jobs;
  /** Evaluates new snapshots and sends what is due, once, and waits for the results. For tests. */
  runOnce(): Promise<void>;
}

interface AlertsPartOptions extends Foundation {
  baseUrl: string;
  accounts: Accounts;
  people: Pick<People, 'vault' | 'mailer'>;
  data: DataSources;
  names: HostNames;
  pairHistory: PairHistory;
  /** True while this process misses snapshots and fetches them. */
  isFetchingSnapshots: () => boolean;
}

const EVALUATE_EVERY_MS = SECOND_MS / 2;
const DELIVER_EVERY_MS = SECOND_MS;
const POST_TIMEOUT_MS = 10 * SECOND_MS;
/** How long attempts that are under way may take when the process stops. */
const STOP_GRACE_MS = 3 * SECOND_MS;

/** Rules, their evaluation and the delivery of alerts. Of several processes that answer requests, one evaluates and delivers. */
export async function alertsPart(options: AlertsPartOptions): Promise<AlertsPart> {
  const { settings, storage, clock, log, metrics, baseUrl, accounts, people, data, names, shared } = options;
  const { vault, mailer } = people;
  const ring = await vault.ring(PAUSE_LINK_SECRET);
  const poster = createGuardedPoster({
    allowedNetworks: parseNetworks(settings.alertNetworks),
    timeoutMs: POST_TIMEOUT_MS,
    names,
  });
  const others = openAlertChannels({ settings, storage, clock, log, baseUrl, mailer, poster });
  const channels = [webhookChannel(poster, clock), ...others.channels];
  const rules = openRuleStore(storage, clock);
  const endpoints = openEndpointStore(storage, clock, vault);
  const outbox = openOutbox(storage, clock);
  const context = { baseUrl, data, operations: OPERATIONS };
  const callerOf = (accountId: string) => accounts.callerForGrant(accountId, SCOPES);
  const alerts = alertsService({
    ...{ rules, endpoints, outbox, channels, callerOf, context, ring, clock },
    accounts: accounts.accounts,
    limitAttempts: accounts.limitAttempts,
    pairHistory: options.pairHistory,
    budgetOf: async (accountId) => (await readBudgets(storage.db, [accountId])).get(accountId) ?? null,
  });
  const lease =
    shared &&
    new JobLock({
      job: ALERTS_JOB,
      storage: shared,
      leaseMs: settings.leaseSeconds * SECOND_MS,
      log,
      metrics,
    });
  const evaluating = new Evaluating({
    ...{ rules, lease, clock, log, metrics, callerOf },
    states: openStateStore(storage, clock),
    isFetchingSnapshots: options.isFetchingSnapshots,
    questionOf: ({ operation, query }, caller) => questionOf(operation, query, caller, context),
  });
  const delivering = new Delivering({
    ...{ outbox, endpoints, rules, clock, log, metrics },
    channelOf: ({ kind }) => channels.find((one) => one.kind === kind) ?? null,
    messageOf: (event, rule) =>
      rule ? messageOf(event, rule, { baseUrl, ring }) : accountMessage(event, baseUrl),
    isFree: (accountId) => (callerOf(accountId)?.plan ?? PLANS.demo).name === 'demo',
    notifyPaused: async ({ accountId, description }, reason) => {
      const to = (await accounts.accounts.find(accountId))?.email;
      if (!to) return;
      // Behind the other mails of alerts, and not before a mail that somebody waits for to sign in.
      const notice = mailer.deliver({
        to,
        subject: 'Alerts to one of your endpoints are paused',
        text: `Perpwire no longer sends alerts to ${description}, because ${reason}.\n\nAfter you have repaired it, resume it here:\n\n${baseUrl}/account/alerts\n\nAlerts that waited for this endpoint are listed there as failed and are not sent again.`,
      });
      // The mailer has logged it; the page of the alerts says the same.
      notice.catch(() => undefined);
    },
  });
  const telegram = others.telegramUpdates(async (accountId, code) => {
    await alerts.createEndpoint(accountId, 'telegram', { code });
  });

  const jobs = new Jobs(clock);
  const evaluationJob = jobs.job('alerts', EVALUATE_EVERY_MS);
  const deliveryJob = jobs.job('alert deliveries', DELIVER_EVERY_MS);
  let joining: Promise<void> | null = null;
  const joinLease = (): Promise<void> => {
    joining ??= lease?.start() ?? Promise.resolve();
    return joining;
  };
  const tasks: RepeatingTask[] = [];
  let isReadingTelegram = false;
  const evaluate = async (signal?: AbortSignal): Promise<number> => {
    try {
      const stored = await evaluating.run(signal);
      evaluationJob.finished();
      return stored;
    } catch (error) {
      // Another process evaluates, or the database is unavailable: the next run starts from what is stored.
      if (error instanceof FencedError || isStorageUnavailable(error)) return 0;
      throw error;
    }
  };
  const deliver = async () => {
    try {
      if (evaluating.isOpen) await delivering.run();
      deliveryJob.finished();
    } catch (error) {
      if (!isStorageUnavailable(error)) throw error;
    }
  };
  const readTelegram = async (isWanted: boolean) => {
    if (isWanted === isReadingTelegram) return;
    isReadingTelegram = isWanted;
    if (isWanted) telegram?.start();
    else await telegram?.stop();
  };

  return {
    alerts,
    telegram: others.telegram,
    jobs,
    runOnce: async () => {
      await joinLease();
      await evaluate();
      await deliver();
      await delivering.idle();
    },
    start: () => {
      evaluationJob.start();
      deliveryJob.start();
      const delivery = startRepeatingTask({
        ...{ name: 'deliver alerts', everyMs: DELIVER_EVERY_MS, clock, log },
        run: async () => {
          await deliver();
          return undefined;
        },
      });
      const evaluation = startRepeatingTask({
        ...{ name: 'evaluate alerts', everyMs: EVALUATE_EVERY_MS, clock, log },
        run: async (signal) => {
          await joinLease();
          if ((await evaluate(signal)) > 0) delivery.hurry();
          await readTelegram(evaluating.isOpen);
          return undefined;
        },
      });
      const sweep = startRepeatingTask({
        ...{ name: 'delete old alerts', everyMs: HOUR_MS, clock, log },
        run: async () => {
          if (!evaluating.isOpen) return undefined;
          await outbox.sweep();
          await others.sweep();
          return undefined;
        },
      });
      tasks.push(evaluation, delivery, sweep);
    },
    stop: async () => {
      await Promise.all(tasks.map((task) => task.stop()));
      evaluationJob.stop();
      deliveryJob.stop();
      await readTelegram(false);
      await delivering.stop(STOP_GRACE_MS);
      await lease?.stop();
      await others.close();
      await poster.close();
    },
  };
}
