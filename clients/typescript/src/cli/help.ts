import { type CommandParameter, flagOf, type OperationCommand } from './command.ts';

export function overview(commands: readonly OperationCommand[]): string {
  const others = [
    { name: 'login', summary: 'Store an API key on this machine' },
    { name: 'logout', summary: 'Delete the stored key' },
    { name: 'completion', summary: 'Print the completion script for bash, zsh or fish' },
  ];
  const line = ({ name, summary }: { name: string; summary: string }) => `  ${name.padEnd(18)} ${summary}\n`;
  return `perpwire: market data for crypto perpetual futures

${commands.map(line).join('')}
${others.map(line).join('')}
perpwire <command> --help shows the flags of a command. Tables are for people; --json and --csv for programs.
The key comes from PERPWIRE_API_KEY or perpwire login, the address from --base-url, PERPWIRE_BASE_URL or the login.

  perpwire funding --coin BTC,ETH --sort apr_desc
`;
}

export function commandHelp(command: OperationCommand, parameters: readonly CommandParameter[]): string {
  const path = command.parameters.filter(({ isPath }) => isPath).map(({ name }) => ` <${name}>`);
  const flags = parameters.filter(({ isPath }) => !isPath).map(flagHelp);
  return `perpwire ${command.name}${path.join('')} [flags]\n\n${command.description}\n\n${flags.join('')}`;
}

function flagHelp({ name, kind, choices, isList, isRequired, description }: CommandParameter): string {
  const value = kind === 'boolean' || kind === 'seconds' ? '' : ` <${isList ? `${kind},…` : kind}>`;
  const required = isRequired ? ' (required)' : '';
  const names = choices ? `\n      one${isList ? ' or more' : ''} of ${choices.join(', ')}` : '';
  return `  ${flagOf(name)}${value}${required}\n      ${description}${names}\n`;
}
