import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SignedIn } from '../../../../accounts/people/sessions.ts';
import { alertLimitsOf } from '../../../../alerts/plan-limits.ts';
import type { Rule, RuleInput } from '../../../../alerts/rule.ts';
import { Problem } from '../../../../base/problems.ts';
import { isStreamed, type StreamedOperation } from '../../../../operations/operation.ts';
import { OPERATIONS } from '../../../../operations/registry.ts';
import { hasEnded } from '../../../../venues/ended.ts';
import { type Html, html } from '../../markup/html.ts';
import { suggestedCoins } from '../../pages/lists/filter-choices.ts';
import { doneBanner } from '../../sign-in/form-parts.ts';
import { refusedForm, type Visit } from '../../sign-in/visits.ts';
import { signInFirst } from '../account-page.ts';
import { secretOnce, telegramCode } from './channel-forms.ts';
import { addChannels, ChannelRefused, type NewChannels } from './form/new-channels.ts';
import type { Previewed } from './form/preview-part.ts';
import { ruleForm } from './form/rule-form.ts';
import {
  type AlertList,
  filtersOf,
  inputOf,
  newRuleLink,
  ruleFromForm,
  ruleFromLink,
  ruleToEdit,
  type TypedRule,
  watchedBy,
} from './form/typed-rule.ts';
import { ALERTS_PATH, afterwards, DONE, EDIT_RULE_PATH, NEW_RULE_PATH } from './paths.ts';
import { type Refusal, reasonOf, refusalOf } from './refusals.ts';
import type { AlertsRoutes } from './routes.ts';
import { SUBJECTS, subjectOf } from './subjects.ts';
import { ruleCount } from './view.ts';

const LISTS: readonly StreamedOperation[] = OPERATIONS.filter(isStreamed);
const FIRST_LIST = SUBJECTS[0]?.list ?? '';

function listOf(name: string): AlertList | null {
  const operation = LISTS.find(({ path }) => path === `/${name}`);
  const subject = subjectOf(name);
  return operation && subject ? { operation, subject } : null;
}

/** The form of an alert: new, edited, checked, saved. */
export function ruleRoutes(server: FastifyInstance, { options, show }: AlertsRoutes): void {
  const { visits, alerts, accounts, telegram, data, clock, area } = options;
  const openVenues = () =>
    data.venues.map(({ facts }) => facts).filter((facts) => !hasEnded(facts, clock.nowMs()));

  const takerFeesOf = async (accountId: string) =>
    (await accounts.accounts.find(accountId))?.takerFees ?? null;

  const previewOf = async (accountId: string, typed: TypedRule): Promise<Previewed> => {
    try {
      const preview = await alerts.preview(accountId, watchedBy(typed));
      return preview ?? 'There is no data yet.';
    } catch (problem) {
      if (problem instanceof Problem) return reasonOf(problem);
      throw problem;
    }
  };

  const showForm = async (
    visit: Visit,
    { accountId, email }: SignedIn,
    typed: TypedRule,
    outcome: { refusal?: Refusal; telegramCode?: Html } = {},
  ): Promise<FastifyReply> => {
    const list = listOf(typed.operation);
    if (!list) return unknownAlert(visit, `There is no list “${typed.operation.slice(0, 40)}”`);
    const [rules, endpoints, preview] = await Promise.all([
      alerts.rules(accountId),
      alerts.endpoints(accountId),
      previewOf(accountId, typed),
    ]);
    const isNew = typed.ruleId === null;
    const hasOwnFees = (await takerFeesOf(accountId)) !== null;
    const plan = alerts.planOf(accountId);
    return visit.page({
      status: outcome.refusal?.problem.status ?? 200,
      scripts: ['copy', 'alert-form'],
      parameters: isNew ? ['operation', ...filtersOf(list.operation).map(({ name }) => name)] : ['rule'],
      ...area(
        ALERTS_PATH,
        {
          title: isNew ? 'New alert' : 'Edit the alert',
          lead: isNew ? ruleCount({ plan, rules }) : undefined,
        },
        ruleForm({
          ...{ csrf: visit.csrf, typed, ...list, endpoints, email, preview, hasOwnFees },
          channels: alerts.channels,
          venues: openVenues().map(({ exchange }) => exchange),
          coins: suggestedCoins(data.coins, plan.delaySeconds, clock.nowMs()),
          refusal: outcome.refusal ?? null,
          leastEveryMinutes: alertLimitsOf(plan).leastEveryMinutes,
          telegramCode: outcome.telegramCode ?? null,
        }),
      ),
    });
  };

  const unknownAlert = (visit: Visit, title: string): FastifyReply =>
    visit.page({
      status: 404,
      ...area(
        ALERTS_PATH,
        { title: 'Alerts' },
        html`<section class="card empty">
          <h2>${title}</h2>
          <p class="acts"><a class="btn" href="${ALERTS_PATH}">Your alerts</a></p>
        </section>`,
      ),
    });

  const linkTelegram = async (visit: Visit, account: SignedIn, typed: TypedRule): Promise<FastifyReply> => {
    if (!telegram) return await showForm(visit, account, typed);
    const code = await telegram.issueCode(account.accountId);
    const shown = telegramCode(code, await telegram.botName(), true);
    return await showForm(
      visit,
      account,
      { ...typed, telegramSinceMs: clock.nowMs() },
      { telegramCode: shown },
    );
  };

  /** Adds the ticked new channels, then saves the rule. A refused form leaves nothing behind. */
  const save = async (
    { accountId }: SignedIn,
    typed: TypedRule,
    store: (input: RuleInput) => Promise<Rule>,
  ): Promise<NewChannels & { rule: Rule }> => {
    inputOf(typed, typed.endpoints);
    const added = await addChannels(alerts, accountId, typed);
    try {
      return { ...added, rule: await store(inputOf(typed, added.endpointIds)) };
    } catch (error) {
      await added.undo();
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
      if (fields.get('do') === 'check') return await showForm(visit, account, typed);
      if (fields.get('do') === 'telegram') return await linkTelegram(visit, account, typed);
      try {
        const { rule, secret, sendCodes } = await save(account, typed, (input) =>
          store(account, typed, input),
        );
        const done = typed.ruleId === null ? 'created' : 'saved';
        const failure = await sendCodes();
        if (failure) return await show(visit, account, { problem: failure });
        if (secret === null) return visit.redirect(afterwards(done, rule.id));
        const notice = html`${doneBanner(DONE[done])}${secretOnce(secret, false)}`;
        return await show(visit, account, { notice });
      } catch (error) {
        if (error instanceof ChannelRefused)
          return await showForm(visit, account, typed, {
            refusal: { problem: error.problem, field: error.kind },
          });
        if (!(error instanceof Problem)) throw error;
        return await showForm(visit, account, typed, { refusal: refusalOf(error) });
      }
    };

  server.get(NEW_RULE_PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const query = new URL(request.raw.url ?? '', 'http://path').searchParams;
    const name = query.get('operation') ?? FIRST_LIST;
    const list = listOf(name);
    if (!visit.account)
      return visit.redirect(signInFirst(list ? newRuleLink(query, list.operation) : NEW_RULE_PATH));
    if (!list) return unknownAlert(visit, `There is no list “${name.slice(0, 40)}”`);
    const fees = await takerFeesOf(visit.account.accountId);
    return await showForm(visit, visit.account, ruleFromLink(query, list, fees !== null));
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
    const list = rule && listOf(rule.operation);
    if (!rule || !list) return unknownAlert(visit, 'You have no such alert');
    return await showForm(visit, visit.account, ruleToEdit(rule, list));
  });
  server.post(
    EDIT_RULE_PATH,
    submit(({ accountId }, { ruleId }, input) => alerts.editRule(accountId, ruleId ?? '', input)),
  );
}
