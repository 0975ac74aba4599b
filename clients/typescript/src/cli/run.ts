import { PerpwireError } from '../errors.ts';
import { either, parseArguments } from './arguments.ts';
import { type CommandParameter, type OperationCommand, type Terminal, UsageError } from './command.ts';
import { COMPLETE, candidates, completionScript } from './completion.ts';
import { OPERATION_COMMANDS } from './generated.ts';
import { commandHelp, overview } from './help.ts';
import { LOGIN_HELP, LOGIN_OPTIONS, login, logout } from './login.ts';
import { runOperation } from './operation.ts';
import { ALL, OUTPUT_OPTIONS } from './options.ts';
import { nearest } from './suggestions.ts';

/** Exit codes: the request failed, the command was called wrongly. */
const FAILED = 1;
const WRONG_USAGE = 2;

function parametersOf({ parameters }: OperationCommand): readonly CommandParameter[] {
  const hasPages = parameters.some(({ name }) => name === 'cursor');
  return [...parameters, ...(hasPages ? [ALL] : []), ...OUTPUT_OPTIONS];
}

const FLAGS = new Map<string, readonly CommandParameter[]>([
  ...OPERATION_COMMANDS.map((command) => [command.name, parametersOf(command)] as const),
  ['login', LOGIN_OPTIONS],
  ['logout', []],
  ['completion', []],
  ['help', []],
]);

/** Runs one command and returns its exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await dispatch(args, terminal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.stderr.write(`perpwire: ${error.message}\n`);
      return WRONG_USAGE;
    }
    if (!(error instanceof PerpwireError)) throw error;
    terminal.stderr.write(problemText(error));
    return FAILED;
  }
}

async function dispatch([name, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  const { stdout } = terminal;
  const isHelp = args.includes('--help') || args.includes('-h');
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    stdout.write(overview(OPERATION_COMMANDS));
  } else if (name === '--version') {
    stdout.write(`${terminal.version}\n`);
  } else if (name === COMPLETE) {
    stdout.write(
      candidates(args, FLAGS)
        .map((one) => `${one}\n`)
        .join(''),
    );
  } else if (name === 'completion') {
    stdout.write(completionScript(args[0]));
  } else if (name === 'login') {
    if (isHelp) stdout.write(LOGIN_HELP);
    else await login(args, terminal);
  } else if (name === 'logout') {
    logout(terminal);
  } else {
    const command = OPERATION_COMMANDS.find((one) => one.name === name);
    if (!command) throw unknownCommand(name);
    const parameters = parametersOf(command);
    const values = parseArguments(args, parameters);
    if (values.help === 'true') stdout.write(commandHelp(command, parameters));
    else await runOperation(command, values, terminal);
  }
}

function unknownCommand(name: string): UsageError {
  return new UsageError(
    `there is no command "${name}"; did you mean ${either(nearest(name, [...FLAGS.keys()], 3))}?`,
  );
}

/** The detail of the problem, close matches, and what support needs to find the request. */
function problemText({ code, message, suggestions, docs, requestId, cause }: PerpwireError): string {
  const reason =
    cause instanceof Error ? ` (${(cause.cause as Error | undefined)?.message ?? cause.message})` : '';
  const lines = [
    `perpwire: ${message}${reason}`,
    suggestions.length > 0 ? `  did you mean ${either(suggestions)}?` : '',
    `  code ${code}${requestId === undefined ? '' : `, request ${requestId}`}${docs === undefined ? '' : `, see ${docs}`}`,
  ];
  return lines
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
}
