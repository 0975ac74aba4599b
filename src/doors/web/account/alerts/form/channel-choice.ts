import type { Endpoint } from '../../../../../alerts/alerts.ts';
import type { ChannelKind } from '../../../../../alerts/channels/channel.ts';
import { type Html, html } from '../../../markup/html.ts';
import { faulty } from '../refusals.ts';
import type { RuleFormOptions } from './form-options.ts';
import { NEW_CHANNEL } from './typed-rule.ts';

const STATE_WORDS: Readonly<Record<Endpoint['state'], string>> = {
  active: '',
  paused: ' (paused)',
  unconfirmed: ' (not confirmed)',
};

/** Where a new channel is, by kind. Mail needs nothing; Telegram has a button. */
const ADDRESSES: Partial<Record<ChannelKind, { name: string; label: string; hint: string }>> = {
  webhook: { name: 'url', label: 'Address of your server', hint: 'https://example.com/hook' },
  discord: { name: 'url', label: 'Discord webhook', hint: 'https://discord.com/api/webhooks/…' },
  slack: { name: 'url', label: 'Slack webhook', hint: 'https://hooks.slack.com/services/…' },
  ntfy: { name: 'topic', label: 'Topic at ntfy.sh', hint: 'a name that nobody guesses' },
};

/** "by [E-mail] [Webhook] …": the channels of the account, and those that saving the alert adds. */
export function channelChoice(options: RuleFormOptions): Html {
  const { endpoints, channels, typed, email, refusal, telegramCode } = options;
  const titleOf = (kind: ChannelKind) => channels.find((one) => one.kind === kind)?.title ?? kind;
  const isUntouched = typed.ruleId === null && refusal === null && typed.endpoints.length === 0;
  const isTicked = ({ id, kind, createdAtMs }: Endpoint) =>
    typed.endpoints.includes(id) ||
    (isUntouched && endpoints.length === 1) ||
    (kind === 'telegram' && typed.telegramSinceMs !== null && createdAtMs >= typed.telegramSinceMs);
  const box = (value: string, title: string, words: string, isOn: boolean) =>
    html`<label class="by-one">
      <input type="checkbox" name="endpoint"
        value="${value}"${isOn ? html` checked` : null}${faulty(refusal, 'endpointIds')}>
      <span><b>${title}</b> ${words}</span>
    </label>`;
  const isAdded = (kind: ChannelKind) => typed.endpoints.includes(`${NEW_CHANNEL}${kind}`);
  const hasMail = endpoints.some(({ kind }) => kind === 'email');
  const addable = channels.filter(
    ({ kind }) => ADDRESSES[kind] !== undefined || (kind === 'email' && email !== null && !hasMail),
  );
  addable.sort((a, b) => Number(b.kind === 'email') - Number(a.kind === 'email'));
  const startsWithMail = isUntouched && endpoints.length === 0;
  return html`<fieldset class="by">
    <legend>by</legend>
    <div class="by-all">
      ${endpoints.map((one) => box(one.id, titleOf(one.kind), `${one.description}${STATE_WORDS[one.state]}`, isTicked(one)))}
      ${addable.map(({ kind, title }) =>
        box(
          `${NEW_CHANNEL}${kind}`,
          kind === 'email' ? title : `New ${title}`,
          kind === 'email' ? (email ?? '') : '',
          isAdded(kind) || (kind === 'email' && startsWithMail),
        ),
      )}
      ${
        channels.some(({ kind }) => kind === 'telegram')
          ? html`<button class="btn" type="submit" name="do" value="telegram" formnovalidate>Link Telegram</button>`
          : null
      }
    </div>
    ${telegramCode}
    ${addable.map(({ kind }) => addressField(kind, options))}
  </fieldset>`;
}

/** Shown while the box of its kind is ticked. */
function addressField(kind: ChannelKind, { typed, refusal }: RuleFormOptions): Html | null {
  const address = ADDRESSES[kind];
  if (!address) return null;
  const { name, label, hint } = address;
  return html`<label class="f by-new for-${kind}">
    <span>${label}</span>
    <input type="text" name="${kind}.${name}" value="${typed.channels.get(kind)?.[name] ?? ''}" placeholder="${hint}"
      maxlength="2000" autocomplete="off" spellcheck="false"${faulty(refusal, kind)}>
  </label>`;
}
