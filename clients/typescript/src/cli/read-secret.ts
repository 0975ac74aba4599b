import type { ReadStream } from 'node:tty';

const CTRL_C = '\x03';
/** Enter, or Ctrl-D. */
const END = '\r\n\x04';
const BACKSPACE = '\b\x7f';

/** Reads a line from a terminal without showing it, or the first line of a file or pipe. */
export async function readSecret(
  prompt: string,
  stdin: ReadStream,
  stderr: { write(text: string): unknown },
): Promise<string> {
  stdin.setEncoding('utf8');
  if (!stdin.isTTY) {
    let text = '';
    for await (const piece of stdin) text += piece;
    return text.split('\n')[0] ?? '';
  }
  // Before the prompt: what is typed as soon as it appears must not be shown either.
  stdin.setRawMode(true);
  stderr.write(prompt);
  try {
    return await typedLine(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

function typedLine(stdin: ReadStream): Promise<string> {
  return new Promise((resolve) => {
    let line = '';
    const onData = (piece: string) => {
      for (const character of piece) {
        if (character === CTRL_C) process.exit(130);
        if (END.includes(character)) {
          stdin.off('data', onData);
          resolve(line);
          return;
        }
        line = BACKSPACE.includes(character) ? line.slice(0, -1) : `${line}${character}`;
      }
    };
    stdin.on('data', onData);
  });
}
