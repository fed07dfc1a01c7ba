/** Strips an object of everything that the server or its former cluster assigned, so that it can be created again. */
import type { KubeObject } from '@coxswain/apimachinery';

const given = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'selfLink',
  'deletionGracePeriodSeconds',
] as const;

type Fields = Record<string, unknown>;

/** By resource, in the form `resource.group`. */
const byResource: Readonly<Record<string, (object: Fields) => void>> = {
  pods: ({ spec }) => void delete (spec as Fields)['nodeName'],
  persistentvolumes({ spec }) {
    const { claimRef } = spec as { readonly claimRef?: Fields };
    // The restored claim has the same name but another uid.
    if (claimRef !== undefined) for (const field of ['uid', 'resourceVersion']) delete claimRef[field];
  },
  persistentvolumeclaims({ metadata }) {
    const { annotations = {} } = metadata as { readonly annotations?: Fields };
    for (const name of ['pv.kubernetes.io/bind-completed', 'pv.kubernetes.io/bound-by-controller'])
      delete annotations[name];
  },
  'jobs.batch'({ spec, metadata }) {
    const { manualSelector, template } = spec as {
      manualSelector?: boolean;
      template: { metadata?: Fields };
    };
    if (manualSelector === true) return;
    delete (spec as Fields)['selector'];
    for (const { labels = {} } of [metadata, template.metadata ?? {}] as { labels?: Fields }[])
      for (const name of ['controller-uid', 'batch.kubernetes.io/controller-uid']) delete labels[name];
  },
};

export function cleaned(
  object: KubeObject,
  { group, resource }: { group: string; resource: string },
): KubeObject {
  const { status: _status, ...rest } = structuredClone(object) as KubeObject & { status?: unknown };
  const metadata = rest.metadata as Fields;
  for (const field of given) delete metadata[field];
  byResource[group === '' ? resource : `${resource}.${group}`]?.(rest as unknown as Fields);
  return rest;
}

/** Returns a Service without the addresses and ports that another cluster allocated to it. */
export function withoutAllocations(service: KubeObject): KubeObject {
  const { spec, ...rest } = service as KubeObject & { readonly spec: Fields };
  const { clusterIP, clusterIPs: _ips, healthCheckNodePort: _check, ports = [], ...others } = spec;
  const free = (ports as readonly Fields[]).map(({ nodePort: _port, ...port }) => port);
  // A headless Service remains headless.
  return {
    ...rest,
    spec: { ...others, ...(clusterIP === 'None' && { clusterIP }), ports: free },
  } as KubeObject;
}
