/** --prune: what was applied before, and isn't described any longer, is deleted. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import { readCascade } from '../flags/delete.ts';
import { dryRunSuffix, type DryRun } from '../flags/dry-run.ts';
import { ResourceHelper } from '../resource/helper.ts';
import type { Info } from '../resource/info.ts';
import type { ResourceMapping } from '../resource/mapping.ts';
import { lastApplied } from './last-applied.ts';

/** What is pruned when no list is given, as GROUP/VERSION/KIND; `core` is the group without a name. */
const defaultKinds = [
  'core/v1/ConfigMap',
  'core/v1/Endpoints',
  'core/v1/PersistentVolumeClaim',
  'core/v1/Pod',
  'core/v1/ReplicationController',
  'core/v1/Secret',
  'core/v1/Service',
  'batch/v1/Job',
  'batch/v1/CronJob',
  'networking.k8s.io/v1/Ingress',
  'apps/v1/DaemonSet',
  'apps/v1/Deployment',
  'apps/v1/ReplicaSet',
  'apps/v1/StatefulSet',
  'core/v1/Namespace',
  'core/v1/PersistentVolume',
];

export interface PruneOptions {
  readonly pruneAllowlist: readonly string[];
  readonly selector: string;
  readonly cascade: string;
  readonly gracePeriod: number;
}

export async function prune(
  context: CommandContext,
  options: PruneOptions,
  applied: readonly Info[],
  dryRun: DryRun,
  namespace: string,
): Promise<void> {
  const kept = new Set(applied.map((info) => info.object?.metadata.uid));
  const namespaces = new Set([...applied.map((info) => info.namespace).filter(Boolean), namespace]);
  for (const mapping of await kindsToPrune(context, options.pruneAllowlist)) {
    for (const one of mapping.namespaced ? namespaces : ['']) {
      await pruneKind(context, options, mapping, one, kept, dryRun);
    }
  }
}

async function kindsToPrune(context: CommandContext, listed: readonly string[]): Promise<ResourceMapping[]> {
  const mapper = await context.mapper();
  const kinds = listed.length === 0 ? defaultKinds : listed;
  return Promise.all(
    kinds.map((text) => {
      const [group = '', version = '', kind = '', ...more] = text.split('/');
      if (kind === '' || more.length > 0)
        throw new Error(`invalid GroupVersionKind format: ${text}, please follow <group/version/kind>`);
      return mapper.forKind(group === 'core' ? '' : group, kind, version);
    }),
  );
}

async function pruneKind(
  context: CommandContext,
  options: PruneOptions,
  mapping: ResourceMapping,
  namespace: string,
  kept: ReadonlySet<string | undefined>,
  dryRun: DryRun,
): Promise<void> {
  const helper = new ResourceHelper(await context.client(), mapping);
  const list = (await helper.list(namespace, { labelSelector: options.selector })) as KubeObject & {
    items: KubeObject[];
  };
  for (const object of list.items) {
    if (lastApplied(object) === undefined || kept.has(object.metadata.uid)) continue;
    const { name = '' } = object.metadata;
    if (dryRun !== 'client') {
      await helper.delete(object.metadata.namespace ?? '', name, {
        ...(options.gracePeriod < 0 ? {} : { gracePeriodSeconds: options.gracePeriod }),
        propagationPolicy: readCascade(options.cascade),
        ...(dryRun === 'server' ? { dryRun: ['All'] } : {}),
      });
    }
    const group = mapping.group === '' ? '' : `.${mapping.group}`;
    context.print(`${mapping.kind.toLowerCase()}${group}/${name} pruned${dryRunSuffix(dryRun)}\n`);
  }
}
