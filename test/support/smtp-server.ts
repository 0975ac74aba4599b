import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SmtpServer {
  url: string;
  /** The source of the received messages, with line feeds. */
  received: string[];
  /** Replies to `RCPT TO` from now on, such as '550 no such mailbox'. Null: accept. */
  refuseWith(reply: string | null): void;
  /** Accepts no message to alerts@example.com until `release`, as a slow mail server does. */
  holdAlerts(): void;
  release(): void;
  stop(): Promise<void>;
}

/** A minimal SMTP server (RFC 5321) without extensions. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let refusal: string | null = null;
  let held: (() => void)[] | null = null;
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
    let isData = false;
    let [unread, message] = ['', ''];
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      const lines = `${unread}${chunk}`.split('\r\n');
      unread = lines.pop() ?? '';
      for (const line of lines) {
        if (isData && line === '.') {
          received.push(message);
          isData = false;
          socket.write('250 taken\r\n');
        } else if (isData) message += `${line.replace(/^\.\./, '.')}\n`;
        else if (line === 'DATA') {
          isData = true;
          message = '';
          socket.write('354 go on\r\n');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else if (line.startsWith('RCPT TO') && refusal !== null) socket.write(`${refusal}\r\n`);
        else if (held && line.startsWith('RCPT TO:<alerts@')) held.push(() => socket.write('250 ok\r\n'));
        else socket.write('250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    refuseWith: (reply) => {
      refusal = reply;
    },
    holdAlerts: () => {
      held = [];
    },
    release: () => {
      const answers = held ?? [];
      held = null;
      for (const answer of answers) answer();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface ReceivedMail {
  /** By name in lower case, unfolded. */
  headers: ReadonlyMap<string, string>;
  /** Decoded. */
  text: string;
}

/** The headers and the text of a message in one part, as plain ASCII or quoted-printable. */
export function parseMail(source: string): ReceivedMail {
  const [head = '', ...rest] = source.split('\n\n');
  const headers = new Map(
    head
      .replaceAll(/\n[ \t]+/g, ' ')
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const body = rest.join('\n\n');
  if (headers.get('content-transfer-encoding') !== 'quoted-printable') return { headers, text: body };
  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { headers, text: Buffer.from(bytes, 'latin1').toString('utf8') };
}
