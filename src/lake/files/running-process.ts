import { errorCode } from '../../base/connection-errors.ts';

/** A lock with the number of this process was left by an earlier one, as every container has the same numbers. */
export function isRunning(processId: number): boolean {
  if (!Number.isSafeInteger(processId) || processId <= 0 || processId === process.pid) return false;
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
