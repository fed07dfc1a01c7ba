import type { StatusObject } from '../../../meta/kind-object.ts';
import type { PodSpec } from '../pod-spec.ts';
import type { PodStatus } from '../pod-status.ts';

type PodObject = StatusObject<PodSpec, PodStatus>;

/** `spec.host` is a deprecated name of `spec.nodeName`; `status.podIPs` is accepted and matches nothing. */
export const podSelectableFields: Readonly<Record<string, (pod: PodObject) => string>> = {
  'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
  'spec.restartPolicy': ({ spec }) => spec.restartPolicy ?? '',
  'spec.schedulerName': ({ spec }) => spec.schedulerName ?? '',
  'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
  'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
  'status.phase': ({ status }) => status?.phase ?? '',
  'status.podIP': ({ status }) => status?.podIPs?.[0]?.ip ?? status?.podIP ?? '',
  'status.podIPs': () => '',
  'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
  'spec.host': ({ spec }) => spec.nodeName ?? '',
};
