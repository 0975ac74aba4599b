import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { systemClock } from '../../../base/clock.ts';
import * as http from '../../../base/http/node-http.ts';
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

const KEEP_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(KEEP_ALIVE_MS / 1000)}\r\n\r\n`;

/**
 * Sends a complete response. `headers` are names and values in turn, as for writeHead, and must be valid: writeHead checks
 * each with regular expressions, which takes longer than everything else that we do for a cached answer. So the head is
 * written here, as writeHead would (`test/rest/send-answer.test.ts` compares the bytes). Where a head needs more, because
 * the connection is to be closed or headers were set before, writeHead does it. `start` is ASCII text before the body.
 */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: readonly string[],
  body: RoomyBytes | Uint8Array | null,
  start = '',
): void {
  // With nothing to write for HEAD, end() sends the head alone.
  const sent = request.method === 'HEAD' ? null : body;
  const roomy = sent instanceof RoomyBytes ? sent : null;
  const bytes = sent instanceof RoomyBytes ? sent.bytes : sent;
  if (!isPlain(request, response)) {
    response.writeHead(status, headers as string[]);
    sendBytes(response, start, bytes);
    return;
  }
  const bare = response as BareResponse;
  bare.statusCode = status;
  bare._header = headOf(status, headers);
  const whole = roomy === null ? null : roomy.withHead(bare._header + start);
  if (roomy === null || whole === null) {
    sendBytes(response, start, bytes);
    return;
  }
  bare._headerSent = true;
  response.end(whole);
  if (response.writableLength > 0) response.once('close', roomy.hold());
}

/** Sends a text of `byteLength` bytes; a short one goes out in one write with the head. */
export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: readonly string[],
  text: string,
  byteLength: number,
): void {
  if (isPlain(request, response)) (response as BareResponse)._header = headOf(status, headers);
  else response.writeHead(status, headers as string[]);
  // ASCII as latin1 needs no encoding step, which saves a copy.
  response.end(text, text.length === byteLength ? 'latin1' : 'utf8');
}

function headOf(status: number, headers: readonly string[]): string {
  let head = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n`;
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${head}Date: ${dateText()}\r\n${KEEP_ALIVE}`;
}

function sendBytes(response: ServerResponse, start: string, bytes: Uint8Array | null): void {
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

let lastDate = { second: 0, text: '' };

/** The time for the Date header, formatted once a second. As in Node's own head, it is that of the machine. */
function dateText(): string {
  const nowMs = systemClock.nowMs();
  const second = Math.floor(nowMs / 1000);
  if (lastDate.second !== second) lastDate = { second, text: new Date(nowMs).toUTCString() };
  return lastDate.text;
}
