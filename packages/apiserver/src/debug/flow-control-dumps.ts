import type { Clock } from '@coxswain/apimachinery';
import { textResponse } from '../http/api-response.ts';
import type { PlainRoutes } from '../routing/plain-routes.ts';
import { dump, type DumpTable } from '../flow-control/dump-tables.ts';
import type { FlowController } from '../flow-control/flow-controller.ts';

const tables: readonly DumpTable[] = ['dump_priority_levels', 'dump_queues', 'dump_requests'];

/** Serves tables of the queues' state to authorized users; the paths are not in the index. */
export function installFlowControlDumps(plain: PlainRoutes, controller: FlowController, clock: Clock): void {
  for (const table of tables) {
    plain.addUnlisted(`/debug/api_priority_and_fairness/${table}`, (request) => {
      const includesDetails = (request.parameters.get('includeRequestDetails') ?? '') !== '';
      return textResponse(200, dump(table, controller, clock, includesDetails));
    });
  }
}
