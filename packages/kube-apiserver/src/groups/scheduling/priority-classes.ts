import { serverManager, type BootstrapObject } from '../../bootstrap-object.ts';

/** Higher than any class that a user may define. */
const systemCriticalPriority = 2_000_000_000;

/** The classes that must always exist, since the cluster's own pods use them. */
const systemPriorityClasses = {
  'system-node-critical': {
    value: systemCriticalPriority + 1000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  'system-cluster-critical': {
    value: systemCriticalPriority,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
} as const;

export const priorityClassObjects = (): BootstrapObject[] =>
  Object.entries(systemPriorityClasses).map(([name, { value, description }]) => ({
    group: 'scheduling.k8s.io',
    version: 'v1',
    resource: 'priorityclasses',
    manager: serverManager,
    object: {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value,
      description,
      preemptionPolicy: 'PreemptLowerPriority',
    },
  }));
