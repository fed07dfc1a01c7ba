/** `/scale` of a custom resource, with the replicas at the paths that its definition states. */
import { deepClone, internalError, type KubeObject, type ManagedFieldsEntry } from '@coxswain/apimachinery';
import { servedObject, type RestStorage } from '@coxswain/apiserver';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import { Scale } from '@coxswain/api/autoscaling/v1/scale.ts';
import type {
  CustomResourceDefinition,
  CustomResourceSubresourceScale,
} from '@coxswain/api/apiextensions/v1/index.ts';
import {
  parentManagersOf,
  scaleManagersOf,
  type ReplicasPaths,
} from '@coxswain/schema/structured-merge/scale-managers.ts';
import { as } from '../groups/any-object.ts';
import { customScaleColumns } from './custom-columns.ts';
import { memberAt, membersOf } from './scale-path.ts';

export const customScale = (
  main: GenericStore,
  paths: CustomResourceSubresourceScale,
  managed: ManagedScale,
): RestStorage => ({
  kind: Scale,
  namespaced: main.namespaced,
  table: { columns: customScaleColumns },
  async get(request, name, options) {
    const { object } = await main.get(request, name, options);
    const { value: replicas } = memberAt(object, paths.specReplicasPath);
    if (typeof replicas !== 'number') {
      throw internalError(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`);
    }
    return servedObject(scaleOf(object, paths));
  },
  async update(request, name, change, options, validation) {
    const updated = await main.update(
      request,
      name,
      {
        preconditions: change.preconditions,
        async updated(old) {
          const before = scaleOf(old!, paths);
          const entries = scaleManagersOf(old!.metadata.managedFields ?? [], managed.replicasPaths);
          if (entries !== undefined) before.metadata.managedFields = as<ManagedFieldsEntry[]>(entries);
          const scale = as<Scale>(await change.updated(before));
          const replicas = scale.spec?.replicas ?? 0;
          return withReplicas(
            withOwners(old!, scale, managed),
            paths,
            replicas,
            scale.metadata.resourceVersion,
          );
        },
      },
      options,
      {
        ...validation,
        // Scales are derived from their parents, so they have no managed fields.
        update: (object, old) => validation.update(scaleOf(object, paths), scaleOf(old, paths)),
        forceAllowCreate: false,
      },
    );
    return { served: servedObject(scaleOf(updated.served.object, paths)), created: false };
  },
});

/** The ownership of the replicas: the paths in all versions, and this endpoint's version. */
export interface ManagedScale {
  readonly replicasPaths: ReplicasPaths;
  /** The endpoint's version. */
  readonly apiVersion: string;
}

/** All versions are included, even those without a scale. */
export const replicasPathsOf = ({ spec }: CustomResourceDefinition): ReplicasPaths =>
  Object.fromEntries(
    spec.versions.map(({ name, subresources }) => [
      `${spec.group}/${name}`,
      subresources?.scale && membersOf(subresources.scale.specReplicasPath),
    ]),
  );

function withOwners(old: KubeObject, scale: Scale, { replicasPaths, apiVersion }: ManagedScale): KubeObject {
  const managedFields = parentManagersOf(
    old.metadata.managedFields ?? [],
    as<ManagedFieldsEntry[]>(scale.metadata.managedFields ?? []),
    replicasPaths,
    apiVersion,
  );
  const { managedFields: _before, ...metadata } = old.metadata;
  return {
    ...old,
    metadata: {
      ...metadata,
      ...(managedFields && { managedFields: as<ManagedFieldsEntry[]>(managedFields) }),
    },
  };
}

function scaleOf(object: KubeObject, paths: CustomResourceSubresourceScale): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const numberAt = (path: string) => {
    const { value } = memberAt(object, path);
    return typeof value === 'number' ? value : 0;
  };
  const selector = paths.labelSelectorPath ? memberAt(object, paths.labelSelectorPath).value : undefined;
  return as<KubeObject>({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(paths.specReplicasPath) },
    status: {
      replicas: numberAt(paths.statusReplicasPath),
      ...(typeof selector === 'string' && selector !== '' ? { selector } : {}),
    },
  });
}

function withReplicas(
  old: KubeObject,
  { specReplicasPath }: CustomResourceSubresourceScale,
  replicas: number,
  resourceVersion: string | undefined,
): KubeObject {
  const object = deepClone(old);
  const steps = membersOf(specReplicasPath);
  let holder = object as unknown as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) holder = (holder[step] ??= {}) as Record<string, unknown>;
  holder[steps.at(-1)!] = replicas;
  // An update without a resourceVersion overwrites the stored object.
  object.metadata.resourceVersion = resourceVersion || (old.metadata.resourceVersion ?? '');
  return object;
}
