import type { Endpoint } from '../../../../alerts/alerts.ts';
import type { Channel, ChannelKind } from '../../../../alerts/channels/channel.ts';
import { DIGEST_CHOICES } from '../../../../alerts/channels/email.ts';
import { isoTime } from '../../../../base/times.ts';
import { copyButton } from '../../markup/code-block.ts';
import { time } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { buttonForm, field, form, hidden, INVALID } from '../../sign-in/form-parts.ts';
import { ALERTS_PATH, CHANNELS_PATH, NEW_CHANNEL_PATH } from './paths.ts';
import type { Refusal } from './refusals.ts';

export type TypedChannel = Readonly<Record<string, string>>;
/** The attributes of a field that was refused. */
type Mark = (name: string) => Html | null;

interface ChannelForm {
  /** The names of the fields that are sent to the channel. */
  names: readonly string[];
  lead: Html;
  fields: (typed: TypedChannel, email: string | null, mark: Mark) => Html | null;
  button: string;
}

function address(typed: TypedChannel, mark: Mark, label: string, placeholder: string): Html {
  return field(
    { label, isWide: true },
    html`<input type="url" name="url" value="${typed.url ?? ''}" placeholder="${placeholder}" required
        maxlength="2000" autocomplete="off" spellcheck="false"${mark('url')}>`,
  );
}

const FORMS: Readonly<Record<ChannelKind, ChannelForm>> = {
  webhook: {
    names: ['url'],
    lead: html`A program of yours gets each alert as a signed POST request. <a class="lnk" href="/developers/alerts">
        How to verify the signature
      </a>`,
    fields: (typed, _email, mark) =>
      address(typed, mark, 'Address of your server', 'https://example.com/hook'),
    button: 'Add the webhook',
  },
  email: {
    names: ['digest'],
    lead: html`Mail to the address of your account.`,
    fields: (
      { digest = '' },
      email,
    ) => html`<p class="wide">${email ?? 'Your account has no e-mail address.'}</p>
      ${field(
        { label: 'How often', isWide: true },
        html`<select name="digest">
          ${DIGEST_CHOICES.map(([value, label]) => html`<option value="${value}"${value === digest ? html` selected` : null}>${label}</option>`)}
        </select>`,
      )}`,
    button: 'Add the e-mail address',
  },
  telegram: {
    names: [],
    lead: html`Our bot writes to you or to a group. You get a code, and send it to the bot.`,
    fields: () => null,
    button: 'Make a code',
  },
  discord: {
    names: ['url'],
    lead: html`In Discord: Edit channel, Integrations, Webhooks, New webhook, Copy webhook URL.`,
    fields: (typed, _email, mark) =>
      address(typed, mark, 'Address of the webhook', 'https://discord.com/api/webhooks/…'),
    button: 'Add the Discord channel',
  },
  slack: {
    names: ['url'],
    lead: html`In Slack: add the app “Incoming Webhooks” to a channel and copy its webhook URL.`,
    fields: (typed, _email, mark) =>
      address(typed, mark, 'Address of the webhook', 'https://hooks.slack.com/services/…'),
    button: 'Add the Slack channel',
  },
  ntfy: {
    names: ['server', 'topic'],
    lead: html`Notifications on your phone with the app ntfy. Whoever knows the topic can read it, so choose a name
      that nobody guesses.`,
    fields: (typed, _email, mark) => html`${field(
      { label: 'Server' },
      html`<input type="url" name="server" value="${typed.server ?? 'https://ntfy.sh'}" maxlength="300"
          autocomplete="off" spellcheck="false"${mark('server')}>`,
    )}
${field(
  { label: 'Topic' },
  html`<input type="text" name="topic" value="${typed.topic ?? ''}" required maxlength="64" autocomplete="off"
      spellcheck="false"${mark('topic')}>`,
)}`,
    button: 'Add the topic',
  },
};

/** The fields of the form that the channel takes. Their names in the form start with `prefix`. */
export function typedChannel(kind: ChannelKind, fields: URLSearchParams, prefix = ''): TypedChannel {
  return Object.fromEntries(FORMS[kind].names.map((name) => [name, fields.get(`${prefix}${name}`) ?? '']));
}

export function channelForm(
  { kind, title }: Channel,
  csrf: string,
  typed: TypedChannel,
  email: string | null,
  refusal: Refusal | null,
): Html {
  // An address is refused for many reasons, none of which names the field.
  const mark: Mark = (name) => (refusal && (refusal.field ?? 'url') === name ? INVALID : null);
  const { lead, fields, button } = FORMS[kind];
  return html`<section class="card" id="${kind}"><header><h2>${title}</h2></header>
${form({
  action: NEW_CHANNEL_PATH,
  csrf,
  button,
  fields: html`${hidden('kind', kind)}<p class="wide mut">${lead}</p>${fields(typed, email, mark)}`,
})}
</section>`;
}

/** An endpoint with its state and what can be done with it. */
export function endpointCard(
  endpoint: Endpoint,
  channel: Channel | undefined,
  csrf: string,
  isCodeWrong: boolean,
): Html {
  const { id, description, state, pausedReason, failingSinceMs } = endpoint;
  const act = (action: string, button: string, isDestructive = false) =>
    buttonForm({
      action: `${CHANNELS_PATH}/${action}`,
      csrf,
      button,
      fields: hidden('endpoint', id),
      isDestructive,
    });
  const code = endpoint.kind === 'webhook' ? 'Confirm' : 'Send a new code';
  const nextStep = {
    paused: act('resume', 'Resume'),
    unconfirmed: act('code', code),
    active: act('test', 'Send a test'),
  }[state];
  return html`<li class="channel" id="${id}">
    <div>
      <h3>${channel?.title ?? endpoint.kind}</h3>
      <p class="brk">
        ${description} <span class="tag ${state === 'active' ? 'ok' : 'warn'}">
          ${state === 'unconfirmed' ? 'not confirmed' : state}
        </span>
      </p>
      ${state === 'unconfirmed' ? confirmForm(endpoint, csrf, isCodeWrong) : null}
${state === 'paused' ? html`<p class="neg">Nothing is sent: ${pausedReason ?? 'it was paused'}.</p>` : null}
${
  state === 'active' && failingSinceMs !== null
    ? html`<p class="neg">
      No delivery has succeeded since ${time(isoTime(failingSinceMs))}. See the last deliveries for the
      reason.
    </p>`
    : null
}
    </div>
    <div class="ra">
      ${nextStep}
${channel?.rotateSecret ? act('rotate', 'Replace the secret') : null}
${act('remove', 'Remove', true)}
    </div>
  </li>`;
}

/** For a channel that gets nothing before its receiver has proved that it wants alerts. */
function confirmForm({ id, kind }: Endpoint, csrf: string, isCodeWrong: boolean): Html {
  const how =
    kind === 'webhook'
      ? html`Put the secret into your server, then press Confirm: your server gets a request
        and <a class="lnk" href="/developers/alerts#confirm-the-address">answers with its challenge</a>. If it
        cannot, enter the code that it got.`
      : html`A message with a code was sent there. Enter the code, to show that the alerts are wanted there.`;
  return html`<p>No alerts are sent yet. ${how}</p>
    ${form({
      action: `${CHANNELS_PATH}/confirm`,
      csrf,
      button: 'Enter the code',
      fields: html`${hidden('endpoint', id)}
        ${field(
          { label: 'Code' },
          html`<input type="text" name="code" required maxlength="20" size="12" autocomplete="one-time-code"
              autocapitalize="characters" spellcheck="false"${isCodeWrong ? INVALID : null}>`,
        )}`,
    })}`;
}

/** The only place where a secret is shown. */
export function secretOnce(secret: string, isReplaced: boolean): Html {
  return html`<div class="once" role="status">
    <h2>${icon('check')}The secret of your webhook</h2>
    <p>
      Copy it now: it is shown only this once. Your server verifies signatures with
      it; <a class="lnk" href="/developers/alerts">here is how</a>.${
        isReplaced
          ? ' The old secret goes on signing beside the new one for 24 hours.'
          : html` When your server has it, <a class="lnk" href="${ALERTS_PATH}">
              confirm the webhook
            </a>: before that, it gets no alert.`
      }
    </p>
    <div class="kv" data-copies>
      <code id="new-secret" tabindex="0">${secret}</code>
      ${copyButton('btn pri')}
    </div>
  </div>`;
}

/** `isInForm`: on the form of an alert, which a button brings up to date. */
export function telegramCode(code: string, botName: string | null, isInForm = false): Html {
  const link = botName === null ? null : `https://t.me/${botName}?start=${code}`;
  return html`<div class="once" role="status">
    <h2>${icon('check')}Link a Telegram chat</h2>
    <p>
      ${
        link === null
          ? html`Open the bot of this service in Telegram and send:`
          : html`<a class="lnk" href="${link}" rel="noopener">Open @${botName} in Telegram</a> and press Start. Or
            send this to the bot, also in a group that it is a member of:`
      }
    </p>
    <div class="kv" data-copies>
      <code id="telegram-code" tabindex="0">/start ${code}</code>
      ${copyButton('btn pri')}
    </div>
    <p>
      The code works once, for 15 minutes.
      ${
        isInForm
          ? html`Afterwards: <button class="btn" type="submit" name="do" value="check" formnovalidate>
              I have linked it
            </button>`
          : 'Then reload this page: the chat is among your channels.'
      }
    </p>
  </div>`;
}
