/** `/scale` of a custom resource: the replicas at the paths that its definition names. */
import { deepClone, internalError, invalid, invalidError } from '@coxswain/apimachinery';
import type { KubeObject } from '@coxswain/apimachinery';
import type { RestStorage } from '@coxswain/apiserver';
import { servedObject } from '@coxswain/apiserver';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import { Scale } from '@coxswain/api/autoscaling/v1/scale.ts';
import type { CustomResourceSubresourceScale } from '@coxswain/api/apiextensions/v1/index.ts';
import { as } from '../groups/resource.ts';
import { stepsOf, valueAt } from './path-value.ts';

export const customScale = (main: GenericStore, paths: CustomResourceSubresourceScale): RestStorage => ({
  kind: Scale,
  namespaced: main.namespaced,
  async get(request, name, options) {
    const { object } = await main.get(request, name, options);
    const replicas = valueAt(object, paths.specReplicasPath);
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
          const scale = as<Scale>(await change.updated(before));
          const replicas = scale.spec?.replicas ?? 0;
          if (replicas < 0) {
            throw invalid(main.kind, name, [
              invalidError(paths.specReplicasPath, replicas, 'should be a non-negative integer'),
            ]);
          }
          await validation.update(as<KubeObject>(scale), before);
          return withReplicas(old!, paths, replicas, scale.metadata.resourceVersion);
        },
      },
      options,
      { ...validation, update: () => undefined, forceAllowCreate: false },
    );
    return { served: servedObject(scaleOf(updated.served.object, paths)), created: false };
  },
});

function scaleOf(object: KubeObject, paths: CustomResourceSubresourceScale): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const numberAt = (path: string) => {
    const value = valueAt(object, path);
    return typeof value === 'number' ? value : 0;
  };
  const selector = paths.labelSelectorPath ? valueAt(object, paths.labelSelectorPath) : undefined;
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
  const steps = stepsOf(specReplicasPath).map(String);
  let holder = object as unknown as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) holder = (holder[step] ??= {}) as Record<string, unknown>;
  holder[steps.at(-1)!] = replicas;
  // An update that names no version overwrites whatever is there.
  object.metadata.resourceVersion = resourceVersion || (old.metadata.resourceVersion ?? '');
  return object;
}
