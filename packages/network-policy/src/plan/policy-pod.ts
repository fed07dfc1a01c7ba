import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeObject, Labels } from '@coxswain/apimachinery';

export type PodObject = Pod & KubeObject;

/** The properties of a pod that policies use. */
export interface PolicyPod {
  /** `namespace/name` */
  readonly key: string;
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly nodeName: string;
  readonly addresses: readonly string[];
  readonly namedPorts: readonly NamedPort[];
  readonly createdAt: string;
}

export interface NamedPort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
}

/**
 * Undefined for pods to which no policy applies: those in the network of their node, those that have terminated (their
 * address may have been reused), and those without an address.
 */
export function policyPodOf(pod: PodObject, addresses = addressesOf(pod)): PolicyPod | undefined {
  const { metadata, spec, status } = pod;
  if (spec?.hostNetwork === true || addresses.length === 0) return undefined;
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return undefined;
  const { namespace = '', name } = metadata;
  return {
    key: `${namespace}/${name}`,
    uid: metadata.uid ?? '',
    namespace,
    labels: metadata.labels ?? {},
    nodeName: spec?.nodeName ?? '',
    addresses,
    namedPorts: namedPortsOf(pod),
    createdAt: metadata.creationTimestamp ?? '',
  };
}

function addressesOf({ status }: PodObject): readonly string[] {
  const listed = (status?.podIPs ?? []).map(({ ip }) => ip ?? '').filter((ip) => ip !== '');
  if (listed.length > 0) return listed;
  return status?.podIP ? [status.podIP] : [];
}

/** Ports of containers that run as long as the pod does. */
function namedPortsOf({ spec }: PodObject): readonly NamedPort[] {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...(spec?.containers ?? []), ...sidecars].flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ name, protocol, containerPort }) =>
      name ? [{ name, protocol: protocol ?? 'TCP', port: containerPort }] : [],
    ),
  );
}
