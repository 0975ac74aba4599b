import type { RedisArgument } from '../redis.ts';

/** A command as Redis reads it: a list of strings with their lengths. Text is in one piece, Buffers are not copied. */
export function encodeCommand(args: readonly RedisArgument[]): RedisArgument[] {
  const pieces: RedisArgument[] = [];
  let text = `*${args.length}\r\n`;
  for (const argument of args) {
    if (typeof argument === 'string') {
      text += `$${Buffer.byteLength(argument)}\r\n${argument}\r\n`;
      continue;
    }
    pieces.push(`${text}$${argument.length}\r\n`, argument);
    text = '\r\n';
  }
  pieces.push(text);
  return pieces;
}
