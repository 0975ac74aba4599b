import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SignedIn } from '../../../../accounts/people/sessions.ts';
import { alertLimitsOf } from '../../../../alerts/plan-limits.ts';
import type { Rule, RuleInput } from '../../../../alerts/rule.ts';
import { Problem } from '../../../../base/problems.ts';
import { isStreamed, type StreamedOperation } from '../../../../operations/operation.ts';
import { OPERATIONS } from '../../../../operations/registry.ts';
import { html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { faultBanner } from '../../sign-in/form-parts.ts';
import { refusedForm, type Visit } from '../../sign-in/visits.ts';
import { signInFirst } from '../account-page.ts';
import { ALERTS_PATH, afterwards, EDIT_RULE_PATH, NEW_RULE_PATH } from './paths.ts';
import { type AlertsRoutes, reasonOf, testResults } from './routes.ts';
import { NEW_EMAIL, ruleForm } from './rule-form.ts';
import {
  filtersOf,
  inputOf,
  newRuleLink,
  ruleFromForm,
  ruleFromLink,
  ruleToEdit,
  type TypedRule,
} from './typed-rule.ts';
import { ruleCount } from './view.ts';

const LISTS: readonly StreamedOperation[] = OPERATIONS.filter(isStreamed);

function listOf(operation: string | null): StreamedOperation | undefined {
  return LISTS.find(({ path }) => path === `/${operation}`);
}

export function ruleRoutes(server: FastifyInstance, { options, change }: AlertsRoutes): void {
  const { visits, alerts, area } = options;

  const showForm = async (
    visit: Visit,
    { accountId, email }: SignedIn,
    typed: TypedRule,
    problem: Problem | null,
  ): Promise<FastifyReply> => {
    const operation = listOf(typed.operation);
    if (!operation) return chooseList(visit, problem);
    const [rules, endpoints] = await Promise.all([alerts.rules(accountId), alerts.endpoints(accountId)]);
    const isEmailOffered = alerts.channels.some(({ kind, isOffered }) => kind === 'email' && isOffered);
    const title = typed.ruleId === null ? 'New alert' : 'Edit the alert';
    return visit.page({
      status: problem?.status ?? 200,
      parameters:
        typed.ruleId === null ? ['operation', ...filtersOf(operation).map(({ name }) => name)] : ['rule'],
      ...area(
        ALERTS_PATH,
        {
          title,
          lead: typed.ruleId === null ? ruleCount({ plan: alerts.planOf(accountId), rules }) : undefined,
        },
        ruleForm({
          csrf: visit.csrf,
          typed,
          operation,
          endpoints,
          channelTitle: (kind) => alerts.channels.find((channel) => channel.kind === kind)?.title ?? kind,
          newEmail: endpoints.length === 0 && isEmailOffered ? email : null,
          problem,
          leastEveryMinutes: alertLimitsOf(alerts.planOf(accountId)).leastEveryMinutes,
        }),
      ),
    });
  };

  const chooseList = (visit: Visit, problem: Problem | null): FastifyReply =>
    visit.page({
      status: problem?.status ?? 200,
      ...area(
        ALERTS_PATH,
        {
          title: 'New alert',
          lead: 'Which list is the alert about? On the page of a list, “Alert me” takes its filters along.',
        },
        html`${problem === null ? null : faultBanner(reasonOf(problem))}
          <ul class="card found">
            ${LISTS.map(
              ({ path, summary }) => html`<li>
                <a href="${NEW_RULE_PATH}?operation=${path.slice(1)}">
                  ${icon('bell')}
                  <b>${path.slice(1)}</b>
                  <small>${summary}</small>
                </a>
              </li>\n`,
            )}
          </ul>`,
      ),
    });

  /** Adds the account's e-mail address as a channel if its box is ticked, then saves the rule. */
  const save = async (
    { accountId }: SignedIn,
    typed: TypedRule,
    store: (input: RuleInput) => Promise<Rule>,
  ): Promise<Rule> => {
    const wantsEmail = typed.endpoints.includes(NEW_EMAIL);
    const chosen = typed.endpoints.filter((id) => id !== NEW_EMAIL);
    // Checked before the channel is added: a refused form must leave nothing behind.
    inputOf(typed, wantsEmail ? [...chosen, NEW_EMAIL] : chosen);
    if (!wantsEmail) return await store(inputOf(typed, chosen));
    const { endpoint } = await alerts.createEndpoint(accountId, 'email', {});
    try {
      return await store(inputOf(typed, [...chosen, endpoint.id]));
    } catch (error) {
      await alerts.deleteEndpoint(accountId, endpoint.id);
      throw error;
    }
  };

  const submit =
    (store: (account: SignedIn, typed: TypedRule, input: RuleInput) => Promise<Rule>) =>
    async (request: Parameters<typeof visits.open>[0], reply: FastifyReply): Promise<FastifyReply> => {
      const visit = await visits.open(request, reply);
      const fields = visit.form();
      const { account } = visit;
      if (!fields || !account) return refusedForm(visit);
      const typed = ruleFromForm(fields);
      try {
        const rule = await save(account, typed, (input) => store(account, typed, input));
        return visit.redirect(afterwards(typed.ruleId === null ? 'created' : 'saved', rule.id));
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        return await showForm(visit, account, typed, problem);
      }
    };

  server.get(NEW_RULE_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const query = new URL(request.raw.url ?? '', 'http://path').searchParams;
    const operation = listOf(query.get('operation'));
    if (!visit.account)
      return visit.redirect(signInFirst(operation ? newRuleLink(query, operation) : NEW_RULE_PATH));
    if (operation) return await showForm(visit, visit.account, ruleFromLink(query, operation), null);
    const named = query.get('operation');
    return chooseList(
      visit,
      named === null ? null : new Problem('not-found', `There is no list "${named.slice(0, 40)}".`),
    );
  });
  server.post(
    NEW_RULE_PATH,
    submit(({ accountId }, _typed, input) => alerts.createRule(accountId, input)),
  );

  server.get(EDIT_RULE_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const ruleId = new URL(request.raw.url ?? '', 'http://path').searchParams.get('rule') ?? '';
    if (!visit.account)
      return visit.redirect(signInFirst(`${EDIT_RULE_PATH}?${new URLSearchParams({ rule: ruleId })}`));
    const rule = await alerts.rule(visit.account.accountId, ruleId);
    const operation = rule && listOf(rule.operation);
    if (!rule || !operation) {
      return visit.page({
        status: 404,
        ...area(
          ALERTS_PATH,
          { title: 'Alerts' },
          html`<section class="card empty">
            <h2>You have no such alert</h2>
            <p class="acts"><a class="btn" href="${ALERTS_PATH}">Your alerts</a></p>
          </section>`,
        ),
      });
    }
    return await showForm(visit, visit.account, ruleToEdit(rule, operation), null);
  });
  server.post(
    EDIT_RULE_PATH,
    submit(({ accountId }, { ruleId }, input) => alerts.editRule(accountId, ruleId ?? '', input)),
  );

  const ruleId = (fields: URLSearchParams) => fields.get('rule') ?? '';
  server.post(
    `${ALERTS_PATH}/pause`,
    change(async (fields, { accountId }) => {
      await alerts.pauseRule(accountId, ruleId(fields));
      return 'paused';
    }),
  );
  server.post(
    `${ALERTS_PATH}/resume`,
    change(async (fields, { accountId }) => {
      await alerts.resumeRule(accountId, ruleId(fields));
      return 'resumed';
    }),
  );
  server.post(
    `${ALERTS_PATH}/delete`,
    change(async (fields, { accountId }) => {
      await alerts.deleteRule(accountId, ruleId(fields));
      return 'deleted';
    }),
  );
  server.post(
    `${ALERTS_PATH}/test`,
    change(async (fields, { accountId }) => {
      return testResults(await alerts.testRule(accountId, ruleId(fields)));
    }),
  );
}
