/** Builds the request that creates a pod's namespaces and network. */
import { withDots } from '../node/admit-sysctls.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { Protocol, type SandboxConfig } from '../cri/sandbox-messages.ts';
import { pairsOf } from '../cri/shared-messages.ts';
import type { DnsConfig } from './dns-config.ts';
import { sandboxLabels } from './labels.ts';
import { overheadResources, sandboxResources, type MachineLimits } from '../resources/linux-resources.ts';
import { sandboxSecurity } from './security-context.ts';
import type { UserRange } from './user-ranges.ts';

export interface SandboxFacts {
  /** The number of earlier sandboxes of the pod. */
  readonly attempt: number;
  /** The kernel's hostname; ignored for a pod in the node's network. */
  readonly hostname: string;
  readonly logDirectory: string;
  readonly dns: DnsConfig;
  readonly cgroupParent: string;
  readonly machine: MachineLimits;
  readonly users?: UserRange | undefined;
}

export function sandboxConfig(pod: Pod, facts: SandboxFacts): SandboxConfig {
  const { name = '', namespace = '', uid = '', annotations } = pod.metadata ?? {};
  const { hostNetwork, securityContext } = pod.spec ?? {};
  const sysctls = (securityContext?.sysctls ?? []).map(({ name, value }) => ({ key: withDots(name), value }));
  return {
    metadata: { name, namespace, uid, attempt: facts.attempt },
    ...(hostNetwork ? {} : { hostname: facts.hostname }),
    logDirectory: facts.logDirectory,
    dnsConfig: facts.dns,
    portMappings: portMappings(pod),
    labels: pairsOf(sandboxLabels(pod)),
    annotations: pairsOf(annotations ?? {}),
    linux: {
      cgroupParent: facts.cgroupParent,
      securityContext: sandboxSecurity(pod, facts.users),
      sysctls,
      resources: sandboxResources(pod, facts.machine),
      overhead: overheadResources(pod, facts.machine),
    },
  };
}

/** Lists every declared port; only those with a host port are mapped. */
const portMappings = ({ spec }: Pod) =>
  (spec?.containers ?? []).flatMap(({ ports }) =>
    (ports ?? []).map(({ containerPort, hostPort, hostIP, protocol }) => ({
      protocol: Protocol[protocol ?? 'TCP'],
      containerPort,
      hostPort: hostPort ?? 0,
      hostIp: hostIP ?? '',
    })),
  );
