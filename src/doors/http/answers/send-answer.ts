import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { systemClock } from '../../../base/clock.ts';
import * as http from '../../../base/http/node-http.ts';
import { SECOND_MS } from '../../../base/times.ts';
import { KEEP_ALIVE_MS } from '../common-headers.ts';
import { RoomyBytes } from './roomy-bytes.ts';

/** Node's response with the two fields that writeHead sets. They are not documented. */
interface BareResponse extends ServerResponse {
  _header: string | null;
  _headerSent: boolean;
}

const HAS_FIELDS = (() => {
  const probe = new http.ServerResponse(new http.IncomingMessage(new Socket()));
  return '_header' in probe && '_headerSent' in probe;
})();

const END = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(KEEP_ALIVE_MS / 1000)}\r\n\r\n`;

const STATUS_LINES = new Map(
  Object.entries(http.STATUS_CODES).map(([status, text]) => [
    Number(status),
    `HTTP/1.1 ${status} ${text}\r\n`,
  ]),
);

/** The lines of a head for names and values in turn. */
export function headerLines(headers: readonly string[]): string {
  let lines = '';
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return lines;
}

/** The names and values of such lines in turn, as for writeHead. */
export function headersIn(lines: string): string[] {
  return lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
}

/**
 * Sends a complete response. `lines` are the lines of its head, see `headerLines`, and must be valid: writeHead checks each
 * header with regular expressions, which takes longer than everything else that we do for a cached answer. So the head is
 * written here, as writeHead would (`test/rest/send-answer.test.ts` compares the bytes), and callers keep lines that are
 * the same in all answers. Where a head needs more, because the connection is to be closed or headers were set before,
 * writeHead does it. `start` is ASCII text before the body.
 */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  lines: string,
  body: RoomyBytes | Uint8Array | null,
  start = '',
): void {
  // With nothing to write for HEAD, end() sends the head alone.
  const sent = request.method === 'HEAD' ? null : body;
  if (!isPlain(request, response)) {
    response.writeHead(status, headersIn(lines));
    sendBytes(response, start, sent);
    return;
  }
  const bare = response as BareResponse;
  bare.statusCode = status;
  bare._header = headOf(status, lines);
  const whole = sent instanceof RoomyBytes ? sent.withHead(bare._header + start) : null;
  if (whole === null) {
    sendBytes(response, start, sent);
    return;
  }
  bare._headerSent = true;
  response.end(whole);
  if (response.writableLength > 0) response.once('close', (sent as RoomyBytes).hold());
}

/** Sends a text of `byteLength` bytes; a short one goes out in one write with the head. */
export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  lines: string,
  text: string,
  byteLength: number,
): void {
  if (isPlain(request, response)) (response as BareResponse)._header = headOf(status, lines);
  else response.writeHead(status, headersIn(lines));
  // ASCII as latin1 needs no encoding step, which saves a copy.
  response.end(text, text.length === byteLength ? 'latin1' : 'utf8');
}

function headOf(status: number, lines: string): string {
  return `${STATUS_LINES.get(status)}${lines}${lastLines()}`;
}

function sendBytes(response: ServerResponse, start: string, body: RoomyBytes | Uint8Array | null): void {
  const bytes = body instanceof RoomyBytes ? body.bytes : body;
  if (start === '') {
    response.end(bytes ?? undefined);
    return;
  }
  response.cork();
  // A string is sent in one write with the head.
  response.write(start);
  response.end(bytes ?? undefined);
  response.uncork();
}

function isPlain(request: IncomingMessage, response: ServerResponse): boolean {
  return (
    HAS_FIELDS &&
    response.shouldKeepAlive &&
    request.httpVersionMinor === 1 &&
    request.httpVersionMajor === 1 &&
    response.getHeaderNames().length === 0
  );
}

let last: string | null = null;

/**
 * What Node adds to a head. As in Node's own, the time is that of the machine and a timer discards it when the second is
 * over: asking for the time took longer than writing the head.
 */
function lastLines(): string {
  if (last === null) {
    const nowMs = systemClock.nowMs();
    last = `Date: ${new Date(nowMs).toUTCString()}\r\n${END}`;
    setTimeout(
      () => {
        last = null;
      },
      SECOND_MS - (nowMs % SECOND_MS),
    ).unref();
  }
  return last;
}
