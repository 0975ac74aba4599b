import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import Fastify from 'fastify';

/** One recorded answer, which the bare servers repeat. */
export interface RecordedAnswer {
  status: number;
  headers: [string, string][];
  bodyBase64: string;
}

export interface Bare {
  /** Only node:http: the upper bound for any server on Node. A PUT sets the answers. */
  url: string;
  /** A bare Fastify route for POSTs, which sends the body of the first of them. */
  fastifyUrl: string;
}

let answers: { status: number; headers: string[]; body: Buffer }[] = [];
let next = 0;

const server = createServer((request, response) => {
  if (request.method === 'PUT') {
    void setAnswers(request).then(() => response.end());
    return;
  }
  const answer = answers[next++ % answers.length];
  if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
});
server.listen(0, '127.0.0.1');

async function setAnswers(request: IncomingMessage): Promise<void> {
  const recorded = (await json(request)) as RecordedAnswer[];
  answers = recorded.map(({ status, headers, bodyBase64 }) => ({
    status,
    headers: headers.flat(),
    body: Buffer.from(bodyBase64, 'base64'),
  }));
}

const fastify = Fastify();
fastify.post('/mcp', (_request, reply) => {
  reply.type('application/json; charset=utf-8').send(answers[0]?.body);
});
const fastifyUrl = await fastify.listen({ host: '127.0.0.1', port: 0 });
const ready: Bare = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, fastifyUrl };
console.log(JSON.stringify(ready));
// It ends with the process that started it.
process.stdin.on('end', () => process.exit(0)).resume();
