import * as t from '@coxswain/schema';
import { nameColumn, column } from '../../meta/columns.ts';

export const ComponentCondition = t.struct('core/v1.ComponentCondition', {
  type: t.always(1, t.named('v1.ComponentConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  message: t.optional(3, t.string),
  error: t.optional(4, t.string),
});
export interface ComponentCondition extends t.Static<typeof ComponentCondition> {}

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

export const ComponentStatus = t.kind(
  'core/v1.ComponentStatus',
  'v1',
  { plural: 'componentstatuses', shortNames: ['cs'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    conditions: t.optional(2, t.listMap(ComponentCondition, ['type']), { patch: 'merge', patchKey: 'type' }),
  },
  {
    columns: componentColumns,
  },
);
export interface ComponentStatus extends t.Static<typeof ComponentStatus> {}
