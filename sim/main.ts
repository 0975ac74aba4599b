import { parseArgs } from 'node:util';
import { startSimServer } from './server.ts';

/** Runs the simulator as a separate process; prints its address as one JSON line. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    coins: { type: 'string', default: '120' },
    venues: { type: 'string', default: '' },
    port: { type: 'string', default: '0' },
    'prints-days': { type: 'string', default: '0' },
  },
});

const sim = await startSimServer({
  seed: Number(values.seed),
  coins: Number(values.coins),
  venues: values.venues === '' ? [] : values.venues.split(','),
  port: Number(values.port),
  printsDays: Number(values['prints-days']),
});
process.stdout.write(`${JSON.stringify({ sim_url: sim.url })}\n`);

const stop = () => void sim.close().then(() => process.exit(0));
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The parent keeps this pipe open: when it dies, even by SIGKILL, the simulator ends too.
if (!process.stdin.isTTY) process.stdin.on('end', stop).resume();
