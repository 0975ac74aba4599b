import type { Socket } from 'node:net';

/** The requests of a connection that wait for their turn, and what ends it afterwards. */
interface Line {
  waiting: number;
  end: (() => void) | null;
}

const lines = new WeakMap<Socket, Line>();

/** Notes that a request of the connection waits; call what it returns when the request was started. */
export function waitsIn(socket: Socket): () => void {
  const line = lines.get(socket) ?? { waiting: 0, end: null };
  lines.set(socket, line);
  line.waiting++;
  return () => {
    line.waiting--;
    if (line.waiting === 0 && line.end) setImmediate(line.end);
  };
}

/**
 * A client may close its side right after its request. Node would end the connection when it learns of that, before the
 * answer, so the end is handled a turn after the last request of the connection was started.
 */
export function answerBeforeEnd(socket: Socket): void {
  const handlers = socket.listeners('end') as (() => void)[];
  socket.removeAllListeners('end');
  socket.once('end', () => {
    const end = () => {
      for (const handler of handlers) handler.call(socket);
    };
    const line = lines.get(socket);
    if (line && line.waiting > 0) line.end = end;
    else setImmediate(end);
  });
}
