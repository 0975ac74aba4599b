import type { FastifyInstance, FastifyReply } from 'fastify';
import { isScope } from '../../../accounts/scopes.ts';
import { OWNER } from '../../../accounts/security-log.ts';
import type { Interaction } from '../../../oauth/authorization-server.ts';
import { INTERACTION_PATH } from '../../../oauth/protocol.ts';
import { type Html, html } from '../markup/html.ts';
import { icon } from '../markup/icons/ui-icons.ts';
import { choice, hidden } from './form-parts.ts';
import type { PeopleOptions } from './people-options.ts';
import { SCOPE_WORDS } from './scope-words.ts';
import { SIGN_IN_PATH } from './sign-in.ts';
import { refusedForm, type Visit } from './visits.ts';

/** The consent page: an assistant requests scopes, the signed-in user allows or refuses. */
export function consentRoutes(
  server: FastifyInstance,
  { visits, authorization, accounts }: PeopleOptions,
): void {
  const path = `${INTERACTION_PATH}/:uid`;

  server.get(path, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const { uid } = request.params as { uid: string };
    const interaction = await authorization.interaction(request.raw, reply.raw, uid);
    if (!interaction) return unknownInteraction(visit);
    if (!visit.account)
      return visit.redirect(`${SIGN_IN_PATH}?return_to=${encodeURIComponent(`${INTERACTION_PATH}/${uid}`)}`);
    // Another user may have signed in meanwhile: the interaction then starts again with that user.
    if (interaction.kind === 'sign-in' || interaction.accountId !== visit.account.accountId)
      return visit.redirect(await authorization.signedIn(request.raw, reply.raw, visit.account.accountId));
    return visit.page({
      title: 'Connect an assistant',
      body: consentBody(interaction, visit),
      leadsToAssistant: true,
    });
  });

  server.post(path, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields) return refusedForm(visit);
    const { uid } = request.params as { uid: string };
    const interaction = await authorization.interaction(request.raw, reply.raw, uid);
    if (!interaction) return unknownInteraction(visit);
    // Only the user to whom the consent page was shown may answer it.
    if (interaction.kind !== 'consent' || !visit.account || interaction.accountId !== visit.account.accountId)
      return refusedForm(visit);
    if (fields.get('decision') !== 'allow')
      return visit.redirect(await authorization.refuse(request.raw, reply.raw));
    const scopes = fields.getAll('scope').filter(isScope);
    const next = await authorization.allow(request.raw, reply.raw, interaction, scopes);
    const granted = `${interaction.clientName}: ${scopes.join(' ') || 'no scope'}`;
    await accounts.securityLog.note(OWNER, 'assistant-connected', visit.account.accountId, granted);
    return visit.redirect(next);
  });
}

function consentBody({ uid, clientName, redirect, scopes }: Interaction, visit: Visit): Html {
  const warning = redirect.isLoopback
    ? html`<div class="ban" role="note">
      ${icon('warn')}
      <p>
        The assistant runs on this computer, so nobody has checked its name. Allow it only if you have just
        started to connect it yourself.
      </p>
    </div>`
    : null;
  return html`<h1>Connect ${clientName}?</h1>
    <p class="sub">
      <strong>${clientName}</strong> wants to read data from Perpwire
      as <strong>${visit.account?.email ?? visit.account?.name}</strong>. Afterwards you are sent
      to <strong>${redirect.host}</strong>.
    </p>
    ${warning}
    <form class="form" method="post" action="${INTERACTION_PATH}/${uid}">
      ${hidden('csrf', visit.csrf)}
      <fieldset class="cks">
        <legend>It may</legend>
${scopes.map((scope) =>
  choice(
    html`<input type="checkbox" name="scope" value="${scope}" checked>`,
    SCOPE_WORDS[scope],
    html`<code>${scope}</code>`,
  ),
)}
      </fieldset>
      <p class="wide mut">
        It can only read. Its requests count on the windows of your plan. You can disconnect it at any time
        under your account.
      </p>
      <p class="acts">
        <button class="btn pri" type="submit" name="decision" value="allow">Allow</button>
<button class="btn" type="submit" name="decision" value="refuse">Refuse</button>
      </p>
    </form>`;
}

function unknownInteraction(visit: Visit): FastifyReply {
  return visit.page({
    title: 'Nothing to decide',
    status: 404,
    body: html`<h1>Nothing to decide</h1>
      <p class="sub">
        This request of an assistant has been answered or is too old, or was started in another browser. Start
        again from the assistant.
      </p>`,
  });
}
