import type { Clock } from '@coxswain/apimachinery';
import { textResponse } from '../http/api-response.ts';
import type { PlainRoutes } from '../routing/plain-routes.ts';
import { dump, type DumpTable } from '../flow-control/dump-tables.ts';
import type { FlowController } from '../flow-control/flow-controller.ts';

const tables: readonly DumpTable[] = ['dump_priority_levels', 'dump_queues', 'dump_requests'];

/** Tables of what goes on in the queues, for people who may read them; no index lists them. */
export function installFlowControlDumps(plain: PlainRoutes, controller: FlowController, clock: Clock): void {
  for (const table of tables) {
    plain.addUnlisted(`/debug/api_priority_and_fairness/${table}`, (request) => {
      const includesDetails = (request.parameters.get('includeRequestDetails') ?? '') !== '';
      return textResponse(200, dump(table, controller, clock, includesDetails));
    });
  }
}
