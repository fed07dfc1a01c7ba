/** What the object names, what it owns, and what selects it. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../../../../cluster/cluster.ts';
import { listedKinds, resourceOfKind } from '../../../../cluster/kinds.ts';
import { inLanguages } from '../../../../language/language.ts';
import { objectPath } from '../../../../navigation/paths.ts';
import type { ObjectTabProps } from '../../tabs.ts';
import { referencesOf, selects, type Reference } from './references.ts';

const text = inLanguages(
  {
    title: 'Related',
    owns: 'owns',
    selects: 'selects it',
    selected: 'selected',
    none: 'Nothing is related to it.',
  },
  { title: '相关对象', owns: '拥有', selects: '选中它', selected: '选中', none: '没有相关对象。' },
);

export function Related({ kind, object, namespace }: ObjectTabProps) {
  const found = useFound(kind, object, namespace);
  const all = [...referencesOf(object), ...found];
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{text().title}</h2>
      </div>
      {all.length === 0 && <p class="all-well">{text().none}</p>}
      <ul class="related">
        {all.map((reference) => {
          const resource = resourceOfKind(reference.apiVersion, reference.kind);
          const name = (
            <>
              <span class="related-kind">{reference.kind}</span>
              <span class="truncated">{reference.name}</span>
              <span class="panel-note">{reference.by}</span>
            </>
          );
          return (
            <li key={`${reference.kind}/${reference.name}/${reference.by}`}>
              {resource === undefined ? (
                <span>{name}</span>
              ) : (
                <a href={objectPath(resource, reference.namespace, reference.name)}>{name}</a>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Kinds whose objects are owned by others of their namespace. */
const ownedKinds: ReadonlySet<string> = new Set([
  'pods.',
  'replicasets.apps',
  'controllerrevisions.apps',
  'jobs.batch',
  'endpointslices.discovery.k8s.io',
  'persistentvolumeclaims.',
]);

const shownMax = 60;

/** Asked when the object is opened, and again when it is changed. */
function useFound(
  kind: ApiResource,
  object: KubeObject,
  namespace: string | undefined,
): readonly Reference[] {
  const [found, setFound] = useState<readonly Reference[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    if (namespace !== undefined)
      void Promise.all([
        owned(object, namespace, leaving.signal),
        selecting(kind, object, namespace, leaving.signal),
      ])
        .then((lists) => setFound(lists.flat().slice(0, shownMax)))
        .catch(() => undefined);
    return () => leaving.abort();
  }, [object.metadata.uid, object.metadata.generation]);
  return found;
}

async function owned(
  object: KubeObject,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Reference[]> {
  const kinds = listedKinds.value.filter(({ group, resource }) => ownedKinds.has(`${resource}.${group}`));
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const { items } = await client
        .resource(kind)
        .namespace(namespace)
        .metadataOnly()
        .list({ signal })
        .catch(() => ({ items: [] as KubeObject[] }));
      return items
        .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid))
        .map(({ metadata: { name = '' } }) => referenceTo(kind, namespace, name, text().owns));
    }),
  );
  return lists.flat();
}

interface Selecting extends KubeObject {
  readonly spec?: { readonly selector?: object; readonly podSelector?: { readonly matchLabels?: object } };
}

/** Services and policies of a pod; pods of a service. */
async function selecting(
  kind: ApiResource,
  object: KubeObject,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly Reference[]> {
  const listOf = (group: string, resource: string) =>
    client
      .resource<Selecting>({ group, version: 'v1', resource })
      .namespace(namespace)
      .list({ signal })
      .then(({ items }) => items);
  if (kind.group === '' && kind.resource === 'services') {
    const { selector = {} } = (object as Selecting).spec ?? {};
    const pods = await listOf('', 'pods');
    return pods
      .filter(({ metadata }) => selects(selector, metadata.labels))
      .map(({ metadata: { name = '' } }) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        namespace,
        name,
        by: text().selected,
      }));
  }
  if (kind.group !== '' || kind.resource !== 'pods') return [];
  const { labels } = object.metadata;
  const [services, policies] = await Promise.all([
    listOf('', 'services'),
    listOf('networking.k8s.io', 'networkpolicies').catch(() => []),
  ]);
  return [
    ...services
      .filter(({ spec }) => selects(spec?.selector ?? {}, labels))
      .map(({ metadata: { name = '' } }) => ({
        apiVersion: 'v1',
        kind: 'Service',
        namespace,
        name,
        by: text().selects,
      })),
    ...policies
      .filter(({ spec }) => selects(spec?.podSelector?.matchLabels ?? {}, labels))
      .map(({ metadata: { name = '' } }) => ({
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        namespace,
        name,
        by: text().selects,
      })),
  ];
}

const referenceTo = (
  { group, version, kind }: ApiResource,
  namespace: string,
  name: string,
  by: string,
): Reference => ({
  apiVersion: group === '' ? version : `${group}/${version}`,
  kind,
  namespace,
  name,
  by,
});
