import { type CommandParameter, flagOf, UsageError } from './command.ts';
import { nearest } from './suggestions.ts';

/** The values of flags and arguments by the name of their parameter. */
export type Arguments = Readonly<Record<string, string>>;

/**
 * Parses what follows the name of a command. Flags may be written with hyphens or underscores, with `=` or a space before
 * their value; lists may be repeated. Arguments without a flag are the required parameters in their order.
 */
export function parseArguments(args: readonly string[], parameters: readonly CommandParameter[]): Arguments {
  const values: Record<string, string> = {};
  const positional: string[] = [];
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      positional.push(...rest);
      break;
    }
    if (word === '-h') values.help = 'true';
    else if (word.startsWith('--')) readFlag(word, rest, parameters, values);
    else positional.push(word);
  }
  const required = parameters.filter(({ isRequired, name }) => isRequired && values[name] === undefined);
  for (const value of positional) {
    const parameter = required.shift();
    if (!parameter) throw new UsageError(`there is one argument too many: "${value}"`);
    values[parameter.name] = checked(parameter, value);
  }
  const [missing] = required;
  if (missing && values.help === undefined)
    throw new UsageError(
      `${missing.isPath ? missing.name : flagOf(missing.name)} is required: ${missing.description}`,
    );
  return values;
}

function readFlag(
  word: string,
  rest: string[],
  parameters: readonly CommandParameter[],
  values: Record<string, string>,
): void {
  const [, written = '', given] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  const name = written.replaceAll('-', '_');
  const negated = parameters.find((one) => `no_${one.name}` === name && one.kind === 'boolean');
  if (negated && given === undefined) {
    values[negated.name] = 'false';
    return;
  }
  const parameter = parameters.find((one) => one.name === name);
  if (!parameter) {
    const names = parameters.map((one) => flagOf(one.name));
    throw new UsageError(
      `there is no flag --${written}; did you mean ${either(nearest(`--${written}`, names, 3))}?`,
    );
  }
  const value = checked(parameter, given ?? valueAfter(parameter, rest));
  const before = values[parameter.name];
  if (before !== undefined && !parameter.isList) throw new UsageError(`${flagOf(name)} is given twice`);
  values[parameter.name] = before === undefined ? value : `${before},${value}`;
}

/** The value of a flag without `=`. A boolean may leave it out. */
function valueAfter(parameter: CommandParameter, rest: string[]): string {
  const [next] = rest;
  if (parameter.kind === 'seconds') return '';
  if (parameter.kind === 'boolean')
    return next === 'true' || next === 'false' ? (rest.shift() ?? '') : 'true';
  const isFlag = next?.startsWith('--') && !/^--?\d/.test(next);
  if (next === undefined || isFlag) throw new UsageError(`${flagOf(parameter.name)} needs a value`);
  return rest.shift() ?? '';
}

/** Finds typing errors before a request is spent on them; the service checks everything again. */
function checked({ name, kind, choices, isList }: CommandParameter, value: string): string {
  for (const one of isList ? value.split(',') : [value]) {
    if (choices && !choices.includes(one))
      throw new UsageError(
        `${flagOf(name)} cannot be "${one}"; did you mean ${either(nearest(one, choices, 3))}?`,
      );
    const isNumeric = kind === 'number' || kind === 'integer' || (kind === 'seconds' && one !== '');
    if (isNumeric && (one.trim() === '' || Number.isNaN(Number(one))))
      throw new UsageError(`${flagOf(name)} must be a number; got "${one}"`);
    if (kind === 'boolean' && one !== 'true' && one !== 'false')
      throw new UsageError(`${flagOf(name)} must be true or false; got "${one}"`);
  }
  return value;
}

/** `a, b or c` */
export function either(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
