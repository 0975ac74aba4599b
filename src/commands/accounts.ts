import { isPlanName, PLAN_NAMES } from '../accounts/plans.ts';
import { type Command, UsageError } from './command.ts';
import { actionOf, flagsOf, refuseMore, table, timeText } from './flags.ts';
import { STORAGE_HELP, STORE_OPTIONS, type StoreFlags, withStores } from './stores.ts';

const HELP = `perpwire accounts create --name NAME [--email ADDRESS] [--plan PLAN] [--host-tier TIER]
perpwire accounts set-plan ACCOUNT --plan PLAN
perpwire accounts list

create    creates an account and prints its id
set-plan  moves an account to another plan
list      lists all accounts

  --name       name of the person or the company
  --email      e-mail address, for signing in on the web pages
  --plan       ${PLAN_NAMES.join(', ')} (default demo)
  --host-tier  tier of the host product, which may include a plan (setting HOST_TIER_PLANS)
  ACCOUNT      id or e-mail address of the account
${STORAGE_HELP}`;

export const accountsCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...STORE_OPTIONS,
      name: { type: 'string' },
      email: { type: 'string' },
      plan: { type: 'string' },
      'host-tier': { type: 'string' },
    });
    const action = actionOf('accounts', positionals[0], ['create', 'set-plan', 'list']);
    const { name, plan } = values;
    if (plan !== undefined && !isPlanName(plan))
      throw new UsageError(`--plan takes ${PLAN_NAMES.join(', ')}; it is "${plan}"`);

    if (action === 'create') {
      refuseMore('accounts create', positionals.slice(1));
      if (name === undefined) throw new UsageError('accounts create needs --name NAME');
      return await withStores(values, async ({ accounts }) => {
        const account = await accounts.create({
          name,
          email: values.email ?? null,
          hostTier: values['host-tier'] ?? null,
          ...(plan === undefined ? {} : { plan }),
        });
        const tier = account.hostTier === null ? '' : `, with the host tier ${account.hostTier}`;
        console.log(`account ${account.id} on the ${account.plan} plan${tier}`);
        console.log(
          `Create its key with: npm run perpwire -- keys create --account ${account.id}${sameStore(values)}`,
        );
      });
    }
    if (action === 'set-plan') {
      const reference = positionals[1];
      refuseMore('accounts set-plan ACCOUNT', positionals.slice(2));
      if (reference === undefined || plan === undefined)
        throw new UsageError('accounts set-plan needs ACCOUNT (its id or e-mail address) and --plan PLAN');
      return await withStores(values, async ({ accounts }) => {
        const found = await accounts.find(reference);
        if (!found) throw new UsageError(`there is no account "${reference}"; see perpwire accounts list`);
        const account = await accounts.setPlan(found.id, plan);
        console.log(`account ${account.id} is now on the ${account.plan} plan`);
      });
    }
    refuseMore('accounts list', positionals.slice(1));
    await withStores(values, async ({ accounts }) => {
      const rows = (await accounts.list()).map((account) => [
        account.id,
        account.name,
        account.email ?? '-',
        account.plan,
        account.hostTier ?? '-',
        timeText(account.createdAtMs),
      ]);
      console.log(table(['id', 'name', 'e-mail', 'plan', 'host tier', 'created'], rows));
    });
  },
};

/** Flags with which the next command opens the same database. A database address may hold a password, so it is left out. */
function sameStore(flags: StoreFlags): string {
  if (flags['database-url'] !== undefined) return ' --database-url ...';
  return flags['data-dir'] === undefined ? '' : ` --data-dir ${flags['data-dir']}`;
}
