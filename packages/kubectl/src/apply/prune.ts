/** --prune: deletes objects that were applied earlier and are no longer described. */
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { CommandContext } from '../context.ts';
import { readCascade } from '../flags/delete.ts';
import type { DryRun } from '../flags/dry-run.ts';
import type { PrintFlagValues } from '../flags/print.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { groupVersionOf, type ResourceMapper, type ResourceMapping } from '../mapping.ts';
import { memberSelector, type ApplySetParent, type Members } from './apply-set.ts';
import { lastApplied } from './last-applied.ts';

/** The default kinds to prune, as GROUP/VERSION/KIND; `core` stands for the unnamed group. */
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

export interface PruneOptions extends PrintFlagValues {
  readonly selector: string;
  readonly cascade: string;
  readonly gracePeriod: number;
}

export interface Pruning {
  readonly options: PruneOptions;
  readonly dryRun: DryRun;
  /** The uids of the applied objects. */
  readonly kept: ReadonlySet<string | undefined>;
}

/** @throws Error for an invalid kind, or one that the server doesn't serve */
export const readAllowlist = (mapper: ResourceMapper, texts: readonly string[]): Promise<ResourceMapping[]> =>
  Promise.all(
    texts.map((text) => {
      const [group = '', version = '', kind = '', ...more] = text.split('/');
      if (text.split('/').length < 3 || more.length > 0)
        throw new Error(`invalid GroupVersionKind format: ${text}, please follow <group/version/kind>`);
      return mapper.forKind(group === 'core' ? '' : group, kind, version);
    }),
  );

/** Prunes by the annotation of client-side apply, in the namespaces that were applied to. */
export const pruneByKinds = (
  context: CommandContext,
  allowed: readonly ResourceMapping[],
  namespaces: ReadonlySet<string>,
  pruning: Pruning,
): Promise<void> =>
  eachPrunable(
    context,
    { allowed, namespaces, ...pruning, selector: pruning.options.selector },
    (object, mapping) => pruneObject(context, mapping, object, pruning),
  );

export interface PrunableObjects {
  /** Defaults to the usual kinds if empty. */
  readonly allowed: readonly ResourceMapping[];
  readonly namespaces: ReadonlySet<string>;
  readonly selector: string;
  readonly kept: ReadonlySet<string | undefined>;
}

/** Calls `visit` with every object that was applied client-side and isn't kept. */
export async function eachPrunable(
  context: CommandContext,
  { allowed, namespaces, selector, kept }: PrunableObjects,
  visit: (object: KubeObject, mapping: ResourceMapping) => Promise<void>,
): Promise<void> {
  const kinds = allowed.length > 0 ? allowed : await defaultMappings(context);
  const pruneKind = async (mapping: ResourceMapping, namespace: string) => {
    try {
      for (const object of await listed(context, mapping, namespace, selector)) {
        const isOurs = lastApplied(object) !== undefined && !kept.has(object.metadata.uid);
        if (isOurs) await visit(object, mapping);
      }
    } catch (failure) {
      const scope = mapping.namespaced ? 'namespaced' : 'nonNamespaced';
      throw new Error(`error pruning ${scope} object ${kindText(mapping)}: ${messageOf(failure)}`, {
        cause: failure,
      });
    }
  };
  for (const namespace of namespaces)
    for (const mapping of kinds) if (mapping.namespaced) await pruneKind(mapping, namespace);
  for (const mapping of kinds) if (!mapping.namespaced) await pruneKind(mapping, '');
}

async function defaultMappings(context: CommandContext): Promise<ResourceMapping[]> {
  context.warnLog(
    'Deprecated: kubectl apply will no longer prune non-namespaced resources by default when used with the --namespace flag in a future release. To preserve the current behaviour, list the resources you want to target explicitly in the --prune-allowlist flag.',
  );
  return readAllowlist(await context.mapper(), defaultKinds);
}

/** Prunes by the label of the set, among the kinds and namespaces that its parent has recorded. */
export async function pruneSet(
  context: CommandContext,
  parent: ApplySetParent,
  { kinds, namespaces }: Members,
  pruning: Pruning,
): Promise<void> {
  const found: { readonly mapping: ResourceMapping; readonly object: KubeObject }[] = [];
  for (const mapping of kinds.values()) {
    for (const namespace of mapping.namespaced ? namespaces : ['']) {
      try {
        const objects = await listed(context, mapping, namespace, memberSelector(parent));
        const lost = objects.filter(({ metadata }) => !pruning.kept.has(metadata.uid));
        found.push(...lost.map((object) => ({ mapping, object })));
      } catch (failure) {
        throw new Error(`listing ${kindText(mapping)} objects for pruning: ${messageOf(failure)}`, {
          cause: failure,
        });
      }
    }
  }
  for (const { mapping, object } of found) {
    try {
      await pruneObject(context, mapping, object, pruning);
    } catch (failure) {
      const { namespace = '', name = '' } = object.metadata;
      const kind = mapping.group === '' ? mapping.kind : `${mapping.kind}.${mapping.group}`;
      const place = namespace === '' ? name : `${namespace}/${name}`;
      throw new Error(`pruning ${kind} ${place}: ${messageOf(failure)}`, { cause: failure });
    }
  }
}

const kindText = ({ group, version, kind }: ResourceMapping): string => `${group}/${version}, Kind=${kind}`;

async function listed(
  context: CommandContext,
  mapping: ResourceMapping,
  namespace: string,
  labelSelector: string,
): Promise<KubeObject[]> {
  const helper = new ResourceHelper(await context.client(), mapping);
  const list = (await helper.list(namespace, { labelSelector })) as KubeObject & {
    readonly items?: readonly KubeObject[];
  };
  const type = { apiVersion: groupVersionOf(mapping), kind: mapping.kind };
  return (list.items ?? []).map((item) => ({ ...type, ...item }));
}

async function pruneObject(
  context: CommandContext,
  mapping: ResourceMapping,
  object: KubeObject,
  { options, dryRun }: Pruning,
): Promise<void> {
  const { name = '', namespace = '' } = object.metadata;
  if (dryRun !== 'client') {
    const helper = new ResourceHelper(await context.client(), mapping);
    await helper.delete(namespace, name, {
      ...(options.gracePeriod < 0 ? {} : { gracePeriodSeconds: options.gracePeriod }),
      propagationPolicy: readCascade(options.cascade),
      ...(dryRun === 'server' ? { dryRun: ['All'] } : {}),
    });
  }
  const print = await context.printer(options, { operation: 'pruned', dryRun });
  context.print(print(object));
}
