import { always, kind, listMap, ObjectMeta, optional, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { nameColumn, column } from '../../meta/columns.ts';

export const ComponentCondition = struct('core/v1.ComponentCondition', {
  type: always(1, named('v1.ComponentConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  message: optional(3, string),
  error: optional(4, string),
});
export interface ComponentCondition extends Static<typeof ComponentCondition> {}

const componentColumns = [
  nameColumn,
  column('Status', (component: { conditions?: ComponentCondition[] }) => {
    const health = healthOf(component);
    return health === undefined ? 'Unknown' : health.status === 'True' ? 'Healthy' : 'Unhealthy';
  }),
  column('Message', (component: { conditions?: ComponentCondition[] }) => healthOf(component)?.message ?? ''),
  column('Error', (component: { conditions?: ComponentCondition[] }) => healthOf(component)?.error ?? ''),
];

function healthOf({ conditions }: { conditions?: ComponentCondition[] }): ComponentCondition | undefined {
  return (conditions ?? []).find(({ type }) => type === 'Healthy');
}

export const ComponentStatus = kind(
  'core/v1.ComponentStatus',
  'v1',
  { plural: 'componentstatuses', shortNames: ['cs'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    conditions: optional(2, listMap(ComponentCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  },
  {
    columns: componentColumns,
  },
);
export interface ComponentStatus extends Static<typeof ComponentStatus> {}
