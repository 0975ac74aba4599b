import { connect, type Socket } from 'node:net';

/** Clients of streams in a process of their own. Messages: `open`, then `wait` for a number of events at each client. */
interface Open {
  port: number;
  paths: string[];
  count: number;
}

const clients: { socket: Socket; events: number }[] = [];
const MARK = Buffer.from('\nid: ');

function open({ port, paths, count }: Open): Promise<void> {
  return new Promise((resolve) => {
    let opened = 0;
    for (let i = 0; i < count; i++) {
      const client = { socket: connect(port, '127.0.0.1'), events: 0 };
      clients.push(client);
      client.socket.on('data', (chunk) => {
        const bytes = Buffer.from(chunk);
        if (client.events === 0 && bytes.includes(MARK) && ++opened === count) resolve();
        if (bytes.includes(MARK)) client.events++;
      });
      client.socket.write(
        `GET ${paths[i % paths.length]} HTTP/1.1\r\nHost: x\r\nX-Api-Key: key ${i}\r\n\r\n`,
      );
    }
  });
}

/** Resolves to the times since the call at which each client got an event. */
function nextEvent(): Promise<number[]> {
  const startedMs = performance.now();
  return Promise.all(
    clients.map(
      ({ socket }) =>
        new Promise<number>((resolve) => {
          const onData = (chunk: Buffer | string) => {
            // The end of an event: its last two bytes are line feeds.
            if (!Buffer.from(chunk).toString('latin1').endsWith('\n\n')) return;
            socket.off('data', onData);
            resolve(performance.now() - startedMs);
          };
          socket.on('data', onData);
        }),
    ),
  );
}

process.on('message', (message: { open?: Open; wait?: true }) => {
  if (message.open) void open(message.open).then(() => process.send?.({ done: true }));
  else void nextEvent().then((timesMs) => process.send?.({ timesMs }));
});
