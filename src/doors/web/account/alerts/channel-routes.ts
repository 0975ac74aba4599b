import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SignedIn } from '../../../../accounts/people/sessions.ts';
import { Problem } from '../../../../base/problems.ts';
import { type HtmlValue, html } from '../../markup/html.ts';
import { faultBanner } from '../../sign-in/form-parts.ts';
import { refusedForm, type Visit } from '../../sign-in/visits.ts';
import { signInFirst } from '../account-page.ts';
import { secretOnce, type TypedChannel, telegramCode, typedChannel } from './channel-forms.ts';
import { codeNotSent } from './form/new-channels.ts';
import { ALERTS_PATH, afterwards, CHANNELS_PATH, NEW_CHANNEL_PATH } from './paths.ts';
import { reasonOf, refusalOf } from './refusals.ts';
import { type AlertsRoutes, testResults } from './routes.ts';
import { channelForms } from './view.ts';

interface Outcome {
  notice?: HtmlValue;
  problem?: Problem;
  typed?: { kind: string; fields: TypedChannel };
}

/** Adding channels, and what the owner does with them. */
export function channelRoutes(server: FastifyInstance, { options, show, change }: AlertsRoutes): void {
  const { visits, alerts, telegram, area } = options;

  const showForms = (
    visit: Visit,
    account: SignedIn,
    { notice, problem, typed }: Outcome = {},
  ): FastifyReply =>
    visit.page({
      status: problem?.status ?? 200,
      scripts: ['copy'],
      ...area(
        ALERTS_PATH,
        {
          title: 'Add a channel',
          lead: html`Where alerts are sent. An alert can have several. <a class="lnk" href="${ALERTS_PATH}">
              Your alerts and channels
            </a>`,
        },
        html`${problem ? faultBanner(reasonOf(problem)) : null}
${notice}
${channelForms(alerts.channels, visit.csrf, account, typed ?? null, problem ? refusalOf(problem) : null)}`,
      ),
    });

  server.get(CHANNELS_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    return visit.account ? showForms(visit, visit.account) : visit.redirect(signInFirst(CHANNELS_PATH));
  });

  server.post(NEW_CHANNEL_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    const { account } = visit;
    if (!fields || !account) return refusedForm(visit);
    const channel = alerts.channels.find(({ kind, isOffered }) => isOffered && kind === fields.get('kind'));
    if (!channel)
      return showForms(visit, account, {
        problem: new Problem('invalid-parameter', 'This server has no such channel.'),
      });
    const typed = { kind: channel.kind, fields: typedChannel(channel.kind, fields) };
    try {
      if (channel.kind === 'telegram' && telegram) {
        const code = await telegram.issueCode(account.accountId);
        return showForms(visit, account, { notice: telegramCode(code, await telegram.botName()) });
      }
      const { endpoint, secret } = await alerts.createEndpoint(account.accountId, channel.kind, typed.fields);
      if (secret !== null) return showForms(visit, account, { notice: secretOnce(secret, false) });
      if (endpoint.state === 'active') return visit.redirect(afterwards('channel-added', endpoint.id));
      const { result } = await alerts.sendCode(account.accountId, endpoint.id);
      return result.isDelivered
        ? visit.redirect(afterwards('code-sent', endpoint.id))
        : await show(visit, account, { problem: codeNotSent(result.reason) });
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      return showForms(visit, account, { problem, typed });
    }
  });

  const endpointId = (fields: URLSearchParams) => fields.get('endpoint') ?? '';
  server.post(
    `${CHANNELS_PATH}/code`,
    change(async (fields, { accountId }) => {
      const { endpoint, result } = await alerts.sendCode(accountId, endpointId(fields));
      if (!result.isDelivered) throw codeNotSent(result.reason);
      return endpoint.state === 'active' ? 'channel-confirmed' : 'code-sent';
    }),
  );
  server.post(
    `${CHANNELS_PATH}/confirm`,
    change(async (fields, { accountId }) => {
      await alerts.confirmEndpoint(accountId, endpointId(fields), fields.get('code') ?? '');
      return 'channel-confirmed';
    }),
  );

  server.post(
    `${CHANNELS_PATH}/test`,
    change(async (fields, { accountId }) => {
      return testResults([await alerts.testEndpoint(accountId, endpointId(fields))]);
    }),
  );
  server.post(
    `${CHANNELS_PATH}/rotate`,
    change(async (fields, { accountId }) =>
      secretOnce(await alerts.rotateSecret(accountId, endpointId(fields)), true),
    ),
  );
  server.post(
    `${CHANNELS_PATH}/resume`,
    change(async (fields, { accountId }) => {
      await alerts.resumeEndpoint(accountId, endpointId(fields));
      return 'channel-resumed';
    }),
  );
  server.post(
    `${CHANNELS_PATH}/remove`,
    change(async (fields, { accountId }) => {
      await alerts.deleteEndpoint(accountId, endpointId(fields));
      return 'channel-removed';
    }),
  );
}
