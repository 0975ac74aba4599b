import { type Plan, planOf } from './plan.ts';
import { simulate } from './simulate.ts';

/** Started by `seeds.ts`: runs the seeds that it is sent, one after the other, and sends back their results. */
process.on('message', (options: Pick<Plan, 'seed' | 'hours' | 'hasRoles'>) => {
  void simulate(planOf(options)).then((result) => process.send?.(result));
});
/** A runner that was stopped must leave no run behind. */
process.on('disconnect', () => process.exit(0));
