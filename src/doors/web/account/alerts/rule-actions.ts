import type { FastifyInstance } from 'fastify';
import { ALERTS_PATH } from './paths.ts';
import { type AlertsRoutes, testResults } from './routes.ts';

/** What the owner does with an alert: pause, resume, delete, send a test. */
export function ruleActions(server: FastifyInstance, { options: { alerts }, change }: AlertsRoutes): void {
  const ruleId = (fields: URLSearchParams) => fields.get('rule') ?? '';
  server.post(
    `${ALERTS_PATH}/pause`,
    change(async (fields, { accountId }) => {
      await alerts.pauseRule(accountId, ruleId(fields));
      return 'paused';
    }),
  );
  server.post(
    `${ALERTS_PATH}/resume`,
    change(async (fields, { accountId }) => {
      await alerts.resumeRule(accountId, ruleId(fields));
      return 'resumed';
    }),
  );
  server.post(
    `${ALERTS_PATH}/delete`,
    change(async (fields, { accountId }) => {
      await alerts.deleteRule(accountId, ruleId(fields));
      return 'deleted';
    }),
  );
  server.post(
    `${ALERTS_PATH}/test`,
    change(async (fields, { accountId }) => {
      return testResults(await alerts.testRule(accountId, ruleId(fields)));
    }),
  );
}
