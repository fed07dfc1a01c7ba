/** What all `create KIND NAME` have in common: options, the request, printing. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { FlagValues, Invocation } from '@coxswain/cobra';
import type { KubeObject } from '@coxswain/apimachinery';
import { withTypedConfiguration } from '../../apply/last-applied.ts';
import type { CommandContext } from '../../context.ts';
import { readDryRun, readValidation } from '../../flags/dry-run.ts';
import { dryRunFlag, fieldManagerFlag, saveConfigFlag, validateFlag } from '../../flags/object-flags.ts';
import { printFlags } from '../../flags/print.ts';
import { ResourceHelper } from '../../resource/resource-helper.ts';
import { mappingOfTarget, type CreateTarget } from '../../mapping.ts';

export const createFlags = {
  ...printFlags,
  ...dryRunFlag,
  ...validateFlag,
  ...saveConfigFlag,
  ...fieldManagerFlag('kubectl-create'),
};

export type CreateFlags = FlagValues<typeof createFlags>;

/** Where objects of a built-in kind are created. */
export const targets = {
  configMap: { apiVersion: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true },
  secret: { apiVersion: 'v1', kind: 'Secret', resource: 'secrets', namespaced: true },
  service: { apiVersion: 'v1', kind: 'Service', resource: 'services', namespaced: true },
  serviceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', resource: 'serviceaccounts', namespaced: true },
  namespace: { apiVersion: 'v1', kind: 'Namespace', resource: 'namespaces', namespaced: false },
  quota: { apiVersion: 'v1', kind: 'ResourceQuota', resource: 'resourcequotas', namespaced: true },
  deployment: { apiVersion: 'apps/v1', kind: 'Deployment', resource: 'deployments', namespaced: true },
  job: { apiVersion: 'batch/v1', kind: 'Job', resource: 'jobs', namespaced: true },
  cronJob: { apiVersion: 'batch/v1', kind: 'CronJob', resource: 'cronjobs', namespaced: true },
  role: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', resource: 'roles', namespaced: true },
  roleBinding: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    resource: 'rolebindings',
    namespaced: true,
  },
  clusterRole: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    resource: 'clusterroles',
    namespaced: false,
  },
  clusterRoleBinding: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    resource: 'clusterrolebindings',
    namespaced: false,
  },
  podDisruptionBudget: {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    resource: 'poddisruptionbudgets',
    namespaced: true,
  },
  priorityClass: {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    resource: 'priorityclasses',
    namespaced: false,
  },
  ingress: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', resource: 'ingresses', namespaced: true },
} as const satisfies Record<string, CreateTarget>;

export interface Creation {
  readonly target: CreateTarget;
  readonly name: string;
  /** Metadata beside name and namespace. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The fields behind metadata, in the order in which JSON shows them. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Put before the server's message when it refuses. */
  readonly failure?: string;
}

/** The object as it is sent: kind and apiVersion first, as the original's types have it. */
export function newObject({ target, name, metadata, fields }: Creation, namespace: string): KubeObject {
  return {
    kind: target.kind,
    apiVersion: target.apiVersion,
    metadata: { name, ...(namespace === '' ? {} : { namespace }), ...metadata },
    ...fields,
  };
}

/**
 * Reads how all `create KIND NAME` create and print, which the original does before it looks at a kind's own
 * options. What comes back sends the object, or only prints it.
 */
export async function creating(
  { context }: Pick<Invocation<CommandContext>, 'context'>,
  flags: CreateFlags,
): Promise<(creation: Creation) => Promise<void>> {
  const dryRun = readDryRun(context, flags.dryRun);
  const print = await context.printer(flags, { operation: 'created', dryRun, order: 'declared' });
  const fieldValidation = readValidation(flags.validate);
  return async (creation) => {
    const { namespace, explicit } = await context.namespace();
    const { target, failure } = creation;
    const bare = newObject(creation, target.namespaced && explicit ? namespace : '');
    // The original's `create service` has the option and forgets it.
    const isSaved = flags.saveConfig && target.kind !== 'Service';
    const object = isSaved ? await withTypedConfiguration(bare) : bare;
    if (dryRun === 'client') return context.print(print(object));
    const helper = new ResourceHelper(await context.client(), mappingOfTarget(target));
    let created: KubeObject;
    try {
      created = await helper.create(target.namespaced ? namespace : '', object, {
        dryRun: dryRun === 'server',
        fieldManager: flags.fieldManager,
        fieldValidation,
      });
    } catch (error) {
      if (failure === undefined) throw error;
      throw new Error(`${failure}${messageOf(error)}`, { cause: error });
    }
    context.print(print(created));
  };
}

/** Go leaves empty lists, maps and text out. */
export const filled = <T extends Readonly<Record<string, unknown>>>(fields: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) =>
      Array.isArray(value)
        ? value.length > 0
        : typeof value === 'object' && value !== null
          ? Object.keys(value).length > 0
          : value !== '' && value !== undefined && value !== false,
    ),
  ) as Partial<T>;
