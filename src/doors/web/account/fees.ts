import type { FastifyInstance, FastifyReply } from 'fastify';
import { AccountsError } from '../../../accounts/accounts-error.ts';
import { Problem } from '../../../base/problems.ts';
import { parseFees } from '../../../operations/taker-fees.ts';
import { html } from '../markup/html.ts';
import { fault, field, form, formStatus } from '../sign-in/form-parts.ts';
import { refusedForm, type Visit } from '../sign-in/visits.ts';
import { type AccountPage, type AccountPageOptions, section, signInFirst } from './account-page.ts';

const PATH = '/account/fees';

/** The owner's own taker fees, which pages and `fees=account` use. */
export const FEES_PAGE: AccountPage = { path: PATH, label: 'Trading fees', icon: 'fees', serve };

function serve(server: FastifyInstance, { visits, accounts, exchanges, area }: AccountPageOptions): void {
  const show = async (
    visit: Visit,
    accountId: string,
    sent: string | null,
    refusal: AccountsError | null,
  ): Promise<FastifyReply> => {
    const saved = (await accounts.accounts.find(accountId))?.takerFees ?? '';
    return visit.page({
      ...formStatus(refusal),
      ...area(
        PATH,
        {
          title: 'Your trading fees',
          lead: html`What you really pay as a taker on each venue you trade on. Net figures
            of <a class="lnk" href="/arbitrage">arbitrage</a>, <a class="lnk" href="/spreads">spreads</a> and
            the <a class="lnk" href="/spreads/backtest">backtest</a> follow on every page while you are signed
            in, and in the API with <code>fees=account</code>.`,
        },
        html`${fault(refusal)}
          ${section(
            'Taker fees',
            form({
              action: PATH,
              csrf: visit.csrf,
              button: 'Save',
              fields: field(
                {
                  label: 'Taker fees in percent',
                  hint: html`venue:fee, separated by commas. Venues that you leave out keep
                    the <a class="lnk" href="/exchanges">usual fee</a>.`,
                  isWide: true,
                },
                html`<input type="text" name="fees" value="${sent ?? saved}" placeholder="Binance:0.02,OKX:0.03"
                    maxlength="2000" autocomplete="off" spellcheck="false">`,
              ),
            }),
          )}`,
      ),
    });
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
