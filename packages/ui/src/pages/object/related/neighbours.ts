/** Reads the objects that may be related to an object: those of its namespace whose kinds refer to others. */

import { isStatusError, parseApiVersion, type KubeObject } from '@coxswain/apimachinery';
import type { ApiResource, ListOptions } from '@coxswain/client';
import { client, resourceIn } from '../../../cluster/cluster.ts';
import { listedKinds, resourceOfKind } from '../../../cluster/kinds.ts';
import { idOf, podSelectorOf, type KnownObject, type ObjectName } from './links-of.ts';

export interface Neighbours {
  readonly objects: readonly KnownObject[];
  /** Kinds that the user may not list. */
  readonly hidden: readonly string[];
  /** Kinds with more objects than were read. */
  readonly cut: readonly string[];
}

/** The maximum number of objects per kind. */
const readMax = 500;

const inNamespaces = [
  'pods.',
  'services.',
  'persistentvolumeclaims.',
  'serviceaccounts.',
  'replicationcontrollers.',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
  'horizontalpodautoscalers.autoscaling',
  'ingresses.networking.k8s.io',
  'networkpolicies.networking.k8s.io',
  'poddisruptionbudgets.policy',
  'endpointslices.discovery.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
] as const;

/** The kinds that refer to cluster-scoped kinds, for which there is no namespace to read. */
const atClusterKinds: Readonly<Record<string, readonly string[]>> = {
  'nodes.': ['pods.'],
  'persistentvolumes.': ['persistentvolumeclaims.'],
  'storageclasses.storage.k8s.io': ['persistentvolumes.', 'persistentvolumeclaims.'],
  'ingressclasses.networking.k8s.io': ['ingresses.networking.k8s.io'],
  'clusterroles.rbac.authorization.k8s.io': [
    'clusterrolebindings.rbac.authorization.k8s.io',
    'rolebindings.rbac.authorization.k8s.io',
  ],
};

const nameOf = ({ group, resource }: ApiResource): string => `${resource}.${group}`;

export async function readNeighbours(
  kind: ApiResource,
  root: KnownObject,
  signal: AbortSignal,
): Promise<Neighbours> {
  const namespace = kind.namespaced ? root.namespace : undefined;
  const wanted = kind.namespaced ? inNamespaces : (atClusterKinds[nameOf(kind)] ?? []);
  const kinds = listedKinds.value.filter((one) => (wanted as readonly string[]).includes(nameOf(one)));
  const hidden: string[] = [];
  const cut: string[] = [];
  const lists = await Promise.all(
    kinds.map(async (one) => {
      try {
        const { items, metadata } = await resourceIn(one, namespace).list({
          ...narrowed(one, root),
          limit: readMax,
          signal,
        });
        if (metadata?.continue) cut.push(one.kind);
        return items.map((object) => knownObject(one, object));
      } catch (failure) {
        if (!isStatusError(failure)) throw failure;
        hidden.push(one.kind);
        return [];
      }
    }),
  );
  const objects = lists.flat();
  return { objects: [...objects, ...(await owners([root, ...objects], signal))], hidden, cut };
}

/** Lets the server select the pods where it can, since there may be too many to read. */
function narrowed(
  kind: ApiResource,
  root: KnownObject,
): Pick<ListOptions, 'labelSelector' | 'fieldSelector'> {
  if (nameOf(kind) !== 'pods.') return {};
  if (root.kind === 'Node') return { fieldSelector: `spec.nodeName=${root.name}` };
  if (root.kind === 'Pod') return { fieldSelector: `metadata.name=${root.name}` };
  const labels = podSelectorOf(root)?.toString() ?? '';
  return labels === '' ? {} : { labelSelector: labels };
}

export const knownObject = ({ group, kind }: ApiResource, object: KubeObject): KnownObject => ({
  group,
  kind,
  namespace: object.metadata.namespace ?? '',
  name: object.metadata.name ?? '',
  object,
});

/**
 * The levels of owners to follow: objects that were read may be owned by custom kinds, which have owners themselves.
 */
const generationsMax = 5;
const ownersMax = 20;

async function owners(objects: readonly KnownObject[], signal: AbortSignal): Promise<readonly KnownObject[]> {
  const found = new Map(objects.map((object) => [idOf(object), object]));
  let born = objects.slice(0, 1);
  const all: KnownObject[] = [];
  for (let generation = 0; generation < generationsMax && born.length > 0; generation++) {
    const missing = born.flatMap(({ object, namespace }) =>
      (object.metadata.ownerReferences ?? []).map(({ apiVersion, kind, name }) => ({
        apiVersion,
        is: { group: parseApiVersion(apiVersion).group, kind, namespace, name },
      })),
    );
    const next = await Promise.all(
      missing.slice(0, ownersMax).map(async ({ apiVersion, is }) => {
        const known = found.get(idOf(is));
        if (known !== undefined) return [known];
        const resource = resourceOfKind(apiVersion, is.kind);
        const object = resource && (await get(resource, is, signal));
        return resource === undefined || object === undefined ? [] : [knownObject(resource, object)];
      }),
    );
    born = next.flat();
    all.push(...born.filter((object) => !found.has(idOf(object))));
    for (const object of born) found.set(idOf(object), object);
  }
  return all;
}

async function get(
  resource: ApiResource,
  { namespace, name }: ObjectName,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const all = client.resource(resource);
  return (resource.namespaced ? all.namespace(namespace) : all).get(name, { signal }).catch(() => undefined);
}

/** Each object that is looked up by name costs a request. */
const soughtMax = 40;

/** Their contents are not needed here, may be large, and are private. */
const withoutContent: ReadonlySet<string> = new Set(['ConfigMap', 'Secret']);

/**
 * Looks up objects that are known only by name. Returns the object or `missing`; a missing object is often why
 * something waits.
 */
export async function soughtByName(
  named: readonly ObjectName[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, KnownObject | 'missing'>> {
  const found = new Map<string, KnownObject | 'missing'>();
  await Promise.all(
    named.slice(0, soughtMax).map(async (one) => {
      const kind = listedKinds.value.find(({ group, kind }) => group === one.group && kind === one.kind);
      if (kind === undefined) return;
      const whole = client.resource(kind);
      const all = withoutContent.has(kind.kind) ? whole.metadataOnly() : whole;
      try {
        const object = await (kind.namespaced ? all.namespace(one.namespace) : all).get(one.name, { signal });
        found.set(idOf(one), knownObject(kind, object));
      } catch (failure) {
        if (isStatusError(failure) && failure.code === 404) found.set(idOf(one), 'missing');
      }
    }),
  );
  return found;
}
