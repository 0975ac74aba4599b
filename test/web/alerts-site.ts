import assert from 'node:assert/strict';
import { ManualClock } from '../../src/base/clock.ts';
import { type ScriptedReceiver, startScriptedReceiver } from '../alerts/channels/receiver.ts';
import { startTelegramServer, type TelegramServer, TOKEN } from '../alerts/channels/telegram-server.ts';
import { type Page, text } from '../oauth/browser.ts';
import { type Person, signedUp } from '../oauth/person.ts';
import { fillEveryPart } from '../rest/rest-service.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

export const ALERTS = '/account/alerts';
export const NEW = `${ALERTS}/new`;
export const CHANNELS = `${ALERTS}/channels`;

/** What a browser sends for the form of a new alert. */
export const RULE = {
  name: 'BTC over 0.05 %',
  'filter.coin': 'BTC',
  kind: 'crosses',
  figure: 'rate_pct',
  direction: 'above',
  bound: '0.05',
  hysteresis: '0.01',
  reports_return: 'yes',
  every_minutes: '15',
};

/** The service, with servers that play Telegram and a webhook, and what people do with the forms of alerts. */
export class AlertsSite {
  readonly running: Running;
  readonly receiver: ScriptedReceiver;
  readonly telegram: TelegramServer;
  readonly clock: ManualClock;

  private constructor(
    running: Running,
    receiver: ScriptedReceiver,
    telegram: TelegramServer,
    clock: ManualClock,
  ) {
    this.running = running;
    this.receiver = receiver;
    this.telegram = telegram;
    this.clock = clock;
  }

  static async start(): Promise<AlertsSite> {
    const receiver = await startScriptedReceiver();
    const telegram = await startTelegramServer();
    const clock = new ManualClock(Date.now());
    const running = await runService({
      venues: ['binance', 'okx'],
      coins: 8,
      clock,
      settings: {
        ALERT_NETWORKS: 'loopback',
        TELEGRAM_BOT_TOKEN: TOKEN,
        TELEGRAM_API_URL: telegram.url,
      },
    });
    await collectOnce(running);
    await fillEveryPart({ service: running.service, clock });
    // A visitor sees data of 15 minutes ago.
    clock.advanceMs(901_000);
    await collectOnce(running);
    return new AlertsSite(running, receiver, telegram, clock);
  }

  get baseUrl(): string {
    return this.running.service.baseUrl;
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await this.telegram.stop();
    await this.receiver.close();
  }

  person(name: string, plan: 'demo' | 'developer' = 'demo'): Promise<Person> {
    return signedUp(this.running.service, `${name}@example.com`, plan);
  }

  open({ browser }: Person, path: string): Promise<Page> {
    return browser.open(`${this.baseUrl}${path}`);
  }

  /** Adds a webhook, whose receiver confirms it. Returns the page that shows its secret. */
  async addWebhook(one: Person, path = '/hook'): Promise<Page> {
    const added = await this.addUnconfirmed(one, path);
    await one.browser.submit(await this.open(one, ALERTS), {}, `${CHANNELS}/code`);
    return added;
  }

  async addUnconfirmed(one: Person, path: string): Promise<Page> {
    const url = `${this.receiver.url}${path}?${encodeURIComponent(one.email)}`;
    return await one.browser.submit(
      await this.open(one, CHANNELS),
      { kind: 'webhook', url },
      `${CHANNELS}/new`,
    );
  }

  /** Creates an alert with the first channel of the form. */
  async create(one: Person, fields: Record<string, string | string[]> = {}): Promise<Page> {
    const page = await this.open(one, `${NEW}?operation=funding`);
    return await one.browser.submit(page, { ...RULE, endpoint: boxOf(page), ...fields }, NEW);
  }
}

/** The value of the first box of a channel. */
export function boxOf(page: Page): string {
  return /name="endpoint" value="([^"]+)"/.exec(page.html)?.[1] ?? assert.fail(text(page));
}
