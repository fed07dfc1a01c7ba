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

const namespaced = (apiVersion: string, kind: string, resource: string): CreateTarget => ({
  apiVersion,
  kind,
  resource,
  namespaced: true,
});

const clusterScoped = (apiVersion: string, kind: string, resource: string): CreateTarget => ({
  ...namespaced(apiVersion, kind, resource),
  namespaced: false,
});

const rbac = 'rbac.authorization.k8s.io/v1';

/** The endpoints at which objects of built-in kinds are created. */
export const targets = {
  configMap: namespaced('v1', 'ConfigMap', 'configmaps'),
  secret: namespaced('v1', 'Secret', 'secrets'),
  service: namespaced('v1', 'Service', 'services'),
  serviceAccount: namespaced('v1', 'ServiceAccount', 'serviceaccounts'),
  namespace: clusterScoped('v1', 'Namespace', 'namespaces'),
  quota: namespaced('v1', 'ResourceQuota', 'resourcequotas'),
  deployment: namespaced('apps/v1', 'Deployment', 'deployments'),
  job: namespaced('batch/v1', 'Job', 'jobs'),
  cronJob: namespaced('batch/v1', 'CronJob', 'cronjobs'),
  role: namespaced(rbac, 'Role', 'roles'),
  roleBinding: namespaced(rbac, 'RoleBinding', 'rolebindings'),
  clusterRole: clusterScoped(rbac, 'ClusterRole', 'clusterroles'),
  clusterRoleBinding: clusterScoped(rbac, 'ClusterRoleBinding', 'clusterrolebindings'),
  podDisruptionBudget: namespaced('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
  priorityClass: clusterScoped('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses'),
  ingress: namespaced('networking.k8s.io/v1', 'Ingress', 'ingresses'),
};

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
 * function sends the object, or only prints it. Upstream leaves an empty name to the server, except where it is required.
 */
export async function creating(
  { context }: Pick<Invocation<CommandContext>, 'context'>,
  flags: CreateFlags,
  requiredName?: string,
): Promise<(creation: Creation) => Promise<void>> {
  const dryRun = readDryRun(context, flags.dryRun);
  const print = await context.printer(flags, { operation: 'created', dryRun, order: 'declared' });
  const fieldValidation = readValidation(flags.validate);
  if (requiredName === '') throw new Error('name must be specified');
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
