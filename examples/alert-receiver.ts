/**
 * Receives the alerts of a webhook: checks that each is really from Perpwire, confirms the address, and prints them.
 *
 *   PERPWIRE_WEBHOOK_SECRET=whsec_… node alert-receiver.ts [port]
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const port = Number(process.argv[2] ?? 9000);
const secret = process.env.PERPWIRE_WEBHOOK_SECRET;
const OLDEST_SECONDS = 300;
const MAX_BYTES = 1_000_000;

interface Alert {
  event_id: string;
  kind: string;
  text: string;
  is_test: boolean;
  /** Only in a confirmation. */
  challenge?: string;
}

/** Whether the body was signed with our secret in the last five minutes. */
function isSigned(header: string, body: Buffer, key: string): boolean {
  const fields = header.split(',').map((field) => field.split('='));
  const time = fields.find(([name]) => name === 't')?.[1] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < OLDEST_SECONDS)) return false;
  const right = createHmac('sha256', key).update(`${time}.`).update(body).digest();
  return fields.some(([name, value = '']) => {
    const sent = Buffer.from(name === 'v1' ? value : '', 'hex');
    return sent.length === right.length && timingSafeEqual(sent, right);
  });
}

/** An answer can get lost, and then an alert comes again with the same id. A real program stores the ids. */
const seen = new Set<string>();

function take(alert: Alert): void {
  if (seen.has(alert.event_id)) return;
  seen.add(alert.event_id);
  console.log(`${alert.is_test ? 'test' : alert.kind}, signature verified: ${alert.text}`);
}

if (!secret) {
  console.error('Set PERPWIRE_WEBHOOK_SECRET to the secret that was shown when you added the webhook.');
  process.exit(1);
}

createServer(async (request, reply) => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BYTES) return reply.writeHead(413).end();
  }
  const body = Buffer.concat(chunks);
  if (!isSigned(String(request.headers['perpwire-signature'] ?? ''), body, secret)) {
    console.log('refused a request with a wrong signature');
    return reply.writeHead(401).end();
  }
  const alert = JSON.parse(body.toString()) as Alert;
  if (alert.challenge !== undefined) {
    console.log('confirmed the address');
    return reply.writeHead(200, { 'content-type': 'text/plain' }).end(alert.challenge);
  }
  // The answer first: the service waits ten seconds for it.
  reply.writeHead(204).end();
  take(alert);
}).listen(port, '127.0.0.1', () => console.log(`Waiting for alerts at http://127.0.0.1:${port}/`));
