import type { Column } from '@coxswain/schema';
import { column, nameColumn } from '../../meta/columns.ts';
import { timeSince } from '@coxswain/apimachinery/human-duration.ts';
import type { MetaObject } from '../../meta/kind-object.ts';

interface Pool {
  totalDevices?: number;
  availableDevices?: number;
  allocatedDevices?: number;
  unavailableDevices?: number;
  validationError?: string;
}

type RequestObject = MetaObject & {
  spec: { driver: string };
  status?: {
    poolCount?: number;
    pools?: Pool[];
    conditions?: { type: string; status: string; lastTransitionTime?: string }[];
  };
};

export const poolStatusColumns: readonly Column<RequestObject>[] = [
  nameColumn,
  column('Driver', ({ spec }) => spec.driver),
  column('Total', (request) => sum(request, ({ totalDevices }) => totalDevices)),
  column('Available', (request) => sum(request, ({ availableDevices }) => availableDevices)),
  column('Allocated', (request) => sum(request, ({ allocatedDevices }) => allocatedDevices)),
  column('Unavailable', (request) => sum(request, ({ unavailableDevices }) => unavailableDevices)),
  column('Errors', (request) => sum(request, ({ validationError }) => (validationError == null ? 0 : 1))),
  column('Pools', ({ status }) => status?.poolCount ?? 0, 'integer'),
  column('Status', (request) => {
    const state = outcome(request)?.type ?? 'Pending';
    const [shown, all] = [request.status?.pools?.length ?? 0, request.status?.poolCount ?? 0];
    return state === 'Complete' && all > shown ? `Complete (${shown}/${all} pools)` : state;
  }),
  column('Completed', (request, nowMs) => {
    const end = outcome(request);
    return end?.type === 'Complete' ? timeSince(end.lastTransitionTime, nowMs) : '<none>';
  }),
];

const outcome = ({ status }: RequestObject) =>
  (status?.conditions ?? []).find(
    ({ type, status: holds }) => holds === 'True' && (type === 'Complete' || type === 'Failed'),
  );

function sum(request: RequestObject, count: (pool: Pool) => number | undefined): string {
  if (request.status == null || outcome(request)?.type === 'Failed') return '-';
  return `${(request.status.pools ?? []).reduce((total, pool) => total + (count(pool) ?? 0), 0)}`;
}
