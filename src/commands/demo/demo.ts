import type { Command } from '../command.ts';
import { PRINTS_DAYS } from './fetch-prints.ts';
import { readFlags } from './flags.ts';
import { startSimulator } from './simulator.ts';

export const demo: Command = {
  help: `perpwire demo [flags]

Starts a venue simulator on the loopback address and the whole service on top of it, with an account and a test key for
each plan. It sends nothing to other machines. The data is kept between runs. Only errors are logged;
LOG_LEVEL=info shows more.

  --port     port of the API; 0 chooses a free one (default 8080)
  --coins    how many coins the simulated venues trade (default 32)
  --venues   venues to simulate, by folder name (binance,okx,...); all by default
  --seed     seed of the simulated market (default 1)
  --data     folder of the data (default data/demo)`,
  run: async (args) => {
    const flags = readFlags(args);
    // Started before the service is loaded: on two cores both load at the same time. The simulator prepares meanwhile what
    // will be requested.
    console.log(
      'Starting a simulator of all venues and the service on top of it; this takes about ten seconds.\n',
    );
    const starting = startSimulator({ ...flags, printsDays: PRINTS_DAYS });
    starting.catch(() => undefined);
    try {
      const { runDemo } = await import('./run.ts');
      await runDemo(flags, await starting);
    } finally {
      await starting.then((simulator) => simulator.stop());
    }
  },
};
