import { either } from './arguments.ts';
import { type CommandParameter, flagOf, UsageError } from './command.ts';
import { nearest } from './suggestions.ts';

/** The hidden command that the scripts of all shells call with the words so far. */
export const COMPLETE = '__complete';

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# eval "$(perpwire completion bash)"
_perpwire() {
  local IFS=$'\\n'
  COMPREPLY=($(perpwire ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -F _perpwire perpwire
`,
  zsh: `#compdef perpwire
# eval "$(perpwire completion zsh)"
_perpwire() {
  local -a found
  found=("\${(@f)$(perpwire ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -Q -- $found
}
compdef _perpwire perpwire
`,
  fish: `# perpwire completion fish | source
function __perpwire_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  perpwire ${COMPLETE} $words[2..-1] "$current" 2>/dev/null
end
complete -c perpwire -f -a '(__perpwire_complete)'
`,
};

export const SHELLS = Object.keys(SCRIPTS);

export function completionScript(shell: string | undefined): string {
  const script = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script !== undefined) return script;
  if (shell === undefined) throw new UsageError(`name a shell: ${either(SHELLS)}`);
  throw new UsageError(`there is no completion for "${shell}"; did you mean ${nearest(shell, SHELLS, 1)}?`);
}

/** What may follow: \`words\` are the words after \`perpwire\`, the last of them unfinished. */
export function candidates(
  words: readonly string[],
  commands: ReadonlyMap<string, readonly CommandParameter[]>,
): string[] {
  const [command = '', ...rest] = words;
  const starting = (names: readonly string[], start: string) =>
    names.filter((name) => name.startsWith(start));
  if (rest.length === 0) return starting([...commands.keys()], command);
  const current = rest.at(-1) ?? '';
  if (command === 'completion') return starting(SHELLS, current);
  const parameters = commands.get(command) ?? [];
  const flag = parameters.find(({ name }) => flagOf(name) === rest.at(-2));
  if (flag?.choices) {
    // The values of a list before the unfinished one stay.
    const before = flag.isList ? current.slice(0, current.lastIndexOf(',') + 1) : '';
    return starting(flag.choices, current.slice(before.length)).map((choice) => `${before}${choice}`);
  }
  if (flag && flag.kind !== 'boolean' && flag.kind !== 'seconds') return [];
  return starting(
    parameters.filter(({ isPath }) => !isPath).map(({ name }) => flagOf(name)),
    current,
  );
}
