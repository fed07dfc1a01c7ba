import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn, wideColumn } from '../../../meta/columns.ts';
import type { StatusObject } from '../../../meta/kind-object.ts';
import type { NodeStatus } from '../node-status.ts';

type NodeObject = StatusObject<{ unschedulable?: boolean }, NodeStatus>;

export const nodeColumns: readonly Column<NodeObject>[] = [
  nameColumn,
  column('Status', readiness),
  column('Roles', ({ metadata }) => rolesOf(metadata.labels).join(',') || '<none>'),
  ageColumn,
  column('Version', ({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
  wideColumn('Internal-IP', (node) => addressOf(node, 'InternalIP')),
  wideColumn('External-IP', (node) => addressOf(node, 'ExternalIP')),
  wideColumn('OS-Image', ({ status }) => status?.nodeInfo?.osImage || '<unknown>'),
  wideColumn('Kernel-Version', ({ status }) => {
    const { kernelVersion, architecture } = status?.nodeInfo ?? {};
    return (kernelVersion || '<unknown>') + (architecture ? ` (${architecture})` : '');
  }),
  wideColumn('Container-Runtime', ({ status }) => status?.nodeInfo?.containerRuntimeVersion || '<unknown>'),
];

function readiness({ spec, status }: NodeObject): string {
  const ready = (status?.conditions ?? []).findLast(({ type }) => type === 'Ready');
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable ? `${word},SchedulingDisabled` : word;
}

/** From labels `node-role.kubernetes.io/<role>` with any value, or `kubernetes.io/role: <role>`. */
function rolesOf(labels: Readonly<Record<string, string>> | undefined): string[] {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(labels ?? {})) {
    if (label.startsWith(rolePrefix)) roles.add(label.slice(rolePrefix.length));
    else if (label === roleLabel) roles.add(value);
  }
  roles.delete('');
  return [...roles].sort();
}

const rolePrefix = 'node-role.kubernetes.io/';
const roleLabel = 'kubernetes.io/role';

const addressOf = ({ status }: NodeObject, wanted: string): string =>
  (status?.addresses ?? []).find(({ type }) => type === wanted)?.address ?? '<none>';
