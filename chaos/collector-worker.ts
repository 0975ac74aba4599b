import { ManualClock } from '../src/base/clock.ts';
import { collectInThread } from '../src/wiring/thread/worker.ts';
import { clockOfCollector } from './thread-clock.ts';

// The collector of a process, as the service starts it, but on the clock of the run.
await collectInThread({ clock: await clockOfCollector((nowMs) => new ManualClock(nowMs)) });
// The channel of the clock would keep the thread alive.
process.exit();
