import type { FastifyInstance } from 'fastify';
import { Problem } from '../../../../base/problems.ts';
import { html } from '../../markup/html.ts';
import { doneBanner, faultBanner } from '../../sign-in/form-parts.ts';
import { refusedForm } from '../../sign-in/visits.ts';
import { type AccountPage, type AccountPageOptions, signInFirst } from '../account-page.ts';
import { channelRoutes } from './channel-routes.ts';
import { ALERTS_PATH, afterwards, DONE, isDone } from './paths.ts';
import { reasonOf } from './refusals.ts';
import type { AlertsRoutes } from './routes.ts';
import { ruleActions } from './rule-actions.ts';
import { ruleRoutes } from './rule-routes.ts';
import { alertsBody, newAlertLink, readState } from './view.ts';

/** Alerts, the channels that they are sent to, and the last deliveries. */
export const ALERTS_PAGE: AccountPage = { path: ALERTS_PATH, label: 'Alerts', icon: 'bell', serve };

function serve(server: FastifyInstance, options: AccountPageOptions): void {
  const { visits, alerts, area } = options;

  const show: AlertsRoutes['show'] = async (
    visit,
    { accountId },
    { notice, problem, wrongCodeOf = null } = {},
  ) => {
    const state = await readState(alerts, accountId);
    return visit.page({
      status: problem?.status ?? 200,
      scripts: ['copy'],
      ...area(
        ALERTS_PATH,
        {
          title: 'Alerts',
          lead: html`An alert writes to you when a number goes above or below a value, or when a pair or
            contract starts to match. <a class="lnk" href="/developers/alerts">How alerts work</a>`,
          action: newAlertLink(state),
        },
        html`${problem ? faultBanner(reasonOf(problem)) : null}${alertsBody(state, visit.csrf, notice, wrongCodeOf)}`,
      ),
    });
  };

  const routes: AlertsRoutes = {
    options,
    show,
    change: (apply) => async (request, reply) => {
      const visit = await visits.open(request, reply);
      const fields = visit.form();
      if (!fields || !visit.account) return refusedForm(visit);
      try {
        const outcome = await apply(fields, visit.account);
        // A secret and the results of a test are shown once; everything else redirects, so that a reload repeats nothing.
        return typeof outcome === 'string'
          ? visit.redirect(afterwards(outcome))
          : await show(visit, visit.account, { notice: outcome });
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        const wrongCodeOf = fields.has('code') ? fields.get('endpoint') : null;
        return await show(visit, visit.account, { problem, wrongCodeOf });
      }
    },
  };

  server.get(ALERTS_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    if (!visit.account) return visit.redirect(signInFirst(ALERTS_PATH));
    const done = new URL(request.raw.url ?? '', 'http://path').searchParams.get('done');
    const notice = isDone(done) ? doneBanner(DONE[done]) : null;
    return await show(visit, visit.account, { notice });
  });
  ruleRoutes(server, routes);
  ruleActions(server, routes);
  channelRoutes(server, routes);
}
