/** `/scale`: reads and sets the replicas of any kind. */
import {
  conflict,
  invalid,
  invalidError,
  notFound,
  type KubeObject,
  type ManagedFieldsEntry,
} from '@coxswain/apimachinery';
import { servedObject, type RestStorage } from '@coxswain/apiserver';
import { decodeValue } from '@coxswain/schema';
import { Scale } from '@coxswain/api/autoscaling/v1/scale.ts';
import type { ScaleRule, Store } from '../resource.ts';
import { as, type AnyObject } from '../any-object.ts';
import {
  parentManagersOf,
  scaleManagersOf,
  type ReplicasPaths,
} from '@coxswain/schema/structured-merge/scale-managers.ts';

/** `apiVersion`: that of the parent in the request's path, which new owners of the replicas are recorded with. */
export function scaleStorage({ main, resource }: Store, rule: ScaleRule, apiVersion: string): RestStorage {
  const groupResource = { group: resource.kind.group, resource: `${resource.kind.names!.plural}/scale` };
  return {
    kind: Scale,
    namespaced: main.namespaced,
    async get(request, name, options) {
      return servedObject(scaleOf((await main.get(request, name, options)).object as AnyObject, rule));
    },
    async update(request, name, change, options, validation) {
      const updated = await main.update(
        request,
        name,
        {
          preconditions: change.preconditions,
          async updated(old) {
            if (old === undefined) throw notFound(groupResource, name);
            const parent = old as AnyObject;
            const scale = scaleOf(parent, rule);
            const fields = scaleManagersOf(parent.metadata.managedFields ?? [], replicasPaths);
            if (fields !== undefined)
              (scale as KubeObject).metadata.managedFields = as<ManagedFieldsEntry[]>(fields);
            const changed = as<Scale>(await change.updated(scale));
            check(changed, parent, groupResource);
            return scaledParent(parent, changed, apiVersion);
          },
        },
        options,
        {
          ...validation,
          // Scales are derived from their parents, so they have no managed fields.
          update: (object, old) =>
            validation.update(scaleOf(object as AnyObject, rule), scaleOf(old as AnyObject, rule)),
          forceAllowCreate: false,
        },
      );
      return { served: servedObject(scaleOf(updated.served.object as AnyObject, rule)), created: false };
    },
  };
}

/** The paths of the replicas of all scalable kinds, in every version that a manager may have written. */
const replicasPaths: ReplicasPaths = Object.fromEntries(
  ['v1', 'apps/v1', 'apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1'].map((version) => [
    version,
    ['spec', 'replicas'],
  ]),
);

interface Scalable {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

function scaleOf(object: AnyObject, { selector, replicasDefault = 0 }: ScaleRule): KubeObject {
  const { spec, status } = as<Scalable>(object);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const text = selector(object);
  // As it is written: zero replicas are omitted and have no owner.
  return decodeValue(Scale.type, {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: spec?.replicas ?? replicasDefault },
    status: { replicas: status?.replicas ?? 0, ...(text === '' ? {} : { selector: text }) },
  }).object as KubeObject;
}

function check(scale: Scale, parent: AnyObject, groupResource: { group: string; resource: string }): void {
  const replicas = scale.spec?.replicas ?? 0;
  const name = parent.metadata.name ?? '';
  if (replicas < 0) {
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      invalidError('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const { uid } = scale.metadata;
  if (uid && uid !== parent.metadata.uid) {
    throw conflict(
      groupResource,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${parent.metadata.uid}`,
    );
  }
}

function scaledParent(parent: AnyObject, scale: Scale, apiVersion: string): KubeObject {
  const { resourceVersion, managedFields } = scale.metadata;
  const metadata = {
    ...parent.metadata,
    managedFields: as<ManagedFieldsEntry[]>(
      parentManagersOf(
        parent.metadata.managedFields ?? [],
        as<ManagedFieldsEntry[]>(managedFields ?? []),
        replicasPaths,
        apiVersion,
      ) ?? [],
    ),
  };
  if (resourceVersion === undefined) delete metadata.resourceVersion;
  else metadata.resourceVersion = resourceVersion;
  return as<KubeObject>({
    ...parent,
    metadata,
    spec: { ...(parent.spec as object), replicas: scale.spec?.replicas ?? 0 },
  });
}
