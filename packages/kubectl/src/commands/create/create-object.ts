/** The common part of all `create KIND NAME` commands: options, request, printing. */
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

/** The endpoints at which objects of built-in kinds are created. */
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
  /** Metadata in addition to name and namespace. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The fields after metadata, in their order in JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Prefix for the server's message if it refuses. */
  readonly failure?: string;
}

/** Builds the object to send: kind and apiVersion first, as in upstream's types. */
export function newObject({ target, name, metadata, fields }: Creation, namespace: string): KubeObject {
  return {
    kind: target.kind,
    apiVersion: target.apiVersion,
    metadata: { name, ...(namespace === '' ? {} : { namespace }), ...metadata },
    ...fields,
  };
}

/**
 * Evaluates the common options for creating and printing, which upstream does before a kind's own options. The returned
 * function sends the object, or only prints it.
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
    // Upstream's `create service` has the option but ignores it.
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

/** Like Go's omitempty: drops empty lists, maps and text. */
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
