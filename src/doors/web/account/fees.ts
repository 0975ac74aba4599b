import type { FastifyInstance, FastifyReply } from 'fastify';
import { AccountsError } from '../../../accounts/accounts-error.ts';
import { Problem } from '../../../base/problems.ts';
import { parseFees } from '../../../operations/taker-fees.ts';
import { html } from '../markup/html.ts';
import { form, formPage } from '../sign-in/form-parts.ts';
import { refusedForm, type Visit } from '../sign-in/visits.ts';
import { type AccountPage, type AccountPageOptions, signInFirst } from './account-page.ts';

const PATH = '/account/fees';

/** The owner's own taker fees, which pages and `fees=account` use. */
export const FEES_PAGE: AccountPage = { path: PATH, label: 'Fees', serve };

function serve(
  server: FastifyInstance,
  { visits, accounts, exchanges, navigation }: AccountPageOptions,
): void {
  const show = async (
    visit: Visit,
    accountId: string,
    sent: string | null,
    refusal: AccountsError | null,
  ): Promise<FastifyReply> => {
    const saved = (await accounts.accounts.find(accountId))?.takerFees ?? '';
    return formPage(
      visit,
      'Your trading fees',
      refusal,
      html`${navigation(PATH)}
<p class="lead">Enter what you really pay as a taker, in percent, for each venue you trade on. Net figures of <a href="/arbitrage">arbitrage</a>, <a href="/spreads">spreads</a> and the <a href="/spreads/backtest">backtest</a> follow on every page while you are signed in, and in the API with <code>fees=account</code>. Venues that you leave out keep the <a href="/exchanges">usual fee</a>.</p>
${form({
  action: PATH,
  csrf: visit.csrf,
  button: 'Save',
  fields: html`<label>Taker fees in percent <small>(venue:fee, separated by commas; empty: the usual fees)</small>
<input name="fees" value="${sent ?? saved}" placeholder="Binance:0.02,OKX:0.03" maxlength="2000" autocomplete="off" spellcheck="false"></label>`,
})}`,
    );
  };
  server.get(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    return visit.account
      ? await show(visit, visit.account.accountId, null, null)
      : visit.redirect(signInFirst(PATH));
  });
  server.post(PATH, async (request, reply) => {
    const visit = await visits.open(request, reply);
    const fields = visit.form();
    if (!fields || !visit.account) return refusedForm(visit);
    const { accountId } = visit.account;
    const sent = (fields.get('fees') ?? '').trim();
    try {
      await accounts.accounts.setTakerFees(accountId, sent === '' ? null : checked(sent, exchanges));
    } catch (error) {
      if (!(error instanceof AccountsError)) throw error;
      return await show(visit, accountId, sent, error);
    }
    return visit.redirect(PATH);
  });
}

/** The fees in the form in which requests send them. */
function checked(sent: string, exchanges: readonly string[]): string {
  try {
    const entries = parseFees(sent);
    for (const entry of entries) {
      const name = entry.slice(0, entry.lastIndexOf(':'));
      if (!exchanges.includes(name))
        throw new AccountsError(
          'invalid-fees',
          `"${name}" is not a served venue; spell it as on the page Exchanges`,
        );
    }
    return entries.join(',');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new AccountsError('invalid-fees', error.detail.replace(/\.$/, ''));
  }
}
