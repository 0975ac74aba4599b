import type { WebSocket } from 'ws';

/** A client answers a ping after the messages before it. */
export function readAll(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('pong', done).off('close', done);
      resolve();
    };
    socket.on('pong', done).on('close', done);
    socket.ping(undefined, undefined, (error) => error && done());
  });
}
