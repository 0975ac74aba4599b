import { isPlanName, PLAN_NAMES } from '../../accounts/plans.ts';
import { type Command, UsageError } from '../command.ts';
import { actionOf, flagsOf, refuseMore, table, timeText } from '../flags.ts';
import { BY_HELP, OPERATOR_OPTIONS, STORAGE_HELP, type StoreFlags, withStores } from '../stores.ts';
import { ACTIONS, type Action, runAction } from './actions.ts';

const HELP = `perpwire accounts create --name NAME [--email ADDRESS] [--plan PLAN] [--host-tier TIER]
perpwire accounts set-plan ACCOUNT --plan PLAN
perpwire accounts list
perpwire accounts suspend ACCOUNT [--reason TEXT]
perpwire accounts unsuspend ACCOUNT
perpwire accounts end-sessions ACCOUNT
perpwire accounts end-grants ACCOUNT
perpwire accounts revoke-keys ACCOUNT --yes
perpwire accounts export ACCOUNT [--output FILE]
perpwire accounts delete ACCOUNT --yes
perpwire accounts erase ACCOUNT --yes
perpwire accounts log [ACCOUNT] [--limit N]

create        creates an account and prints its id
set-plan      moves an account to another plan
list          lists all accounts
suspend       refuses the keys, assistants and sign-ins of an account until unsuspend, and signs out its browsers
unsuspend     ends a suspension; keys and assistants work again
end-sessions  signs out all browsers of an account
end-grants    disconnects all assistants of an account
revoke-keys   revokes all keys of an account
export        prints all data that is held about a person, as JSON
delete        ends an account for good: keys, sessions, assistants and password. Its e-mail address becomes free.
erase         deletes an account and all that identifies the person; counts of requests stay, under random ids
log           prints the security log, of one account or of all, newest first

  --name       name of the person or the company
  --email      e-mail address, for signing in on the web pages
  --plan       ${PLAN_NAMES.join(', ')} (default demo)
  --host-tier  tier of the host product, which may include a plan (setting HOST_TIER_PLANS)
  --reason     why; the owner reads it in the security log
  --output     write into this file, readable only by its owner, instead of printing
  --limit      how many entries of the log (default 100)
  --yes        confirms what cannot be undone
  ACCOUNT      id or e-mail address of the account
${BY_HELP}
${STORAGE_HELP}

Running processes follow within seconds. Exit code 0: done. 1: nothing was changed.`;

export const accountsCommand: Command = {
  help: HELP,
  run: async (args) => {
    const { values, positionals } = flagsOf(args, {
      ...OPERATOR_OPTIONS,
      name: { type: 'string' },
      email: { type: 'string' },
      plan: { type: 'string' },
      'host-tier': { type: 'string' },
      reason: { type: 'string' },
      output: { type: 'string' },
      limit: { type: 'string' },
      yes: { type: 'boolean', default: false },
    });
    const action = actionOf('accounts', positionals[0], ['create', 'set-plan', 'list', ...ACTIONS]);
    const { name, plan } = values;
    if (plan !== undefined && !isPlanName(plan))
      throw new UsageError(`--plan takes ${PLAN_NAMES.join(', ')}; it is "${plan}"`);
    if (isAction(action)) return await runAction(action, positionals.slice(1), values);

    if (action === 'create') {
      refuseMore('accounts create', positionals.slice(1));
      if (name === undefined) throw new UsageError('accounts create needs --name NAME');
      return await withStores(values, async ({ accounts, note }) => {
        const account = await accounts.create({
          name,
          email: values.email ?? null,
          hostTier: values['host-tier'] ?? null,
          ...(plan === undefined ? {} : { plan }),
        });
        await note('account-created', account.id);
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
      return await withStores(values, async ({ accountOf, accounts, note }) => {
        const before = await accountOf(reference);
        const account = await accounts.setPlan(before.id, plan);
        await note('plan-changed', account.id, `${before.plan} to ${account.plan}`);
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
        timeText(account.suspendedAtMs),
      ]);
      console.log(table(['id', 'name', 'e-mail', 'plan', 'host tier', 'created', 'suspended'], rows));
    });
  },
};

function isAction(action: string): action is Action {
  return (ACTIONS as readonly string[]).includes(action);
}

/** Flags with which the next command opens the same database. A database address may hold a password, so it is left out. */
function sameStore(flags: StoreFlags): string {
  if (flags['database-url'] !== undefined) return ' --database-url ...';
  return flags['data-dir'] === undefined ? '' : ` --data-dir ${flags['data-dir']}`;
}
