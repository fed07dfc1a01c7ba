/** The diff that a refused update of a pod shows. */

import { indented, withGoNames } from '../../meta/go-struct.ts';
import { unifiedDiff } from '../../meta/unified-diff.ts';
import { PodSpec } from './pod-spec.ts';

export const podSpecDiff = (before: PodSpec, after: PodSpec): string =>
  unifiedDiff(printed(before), printed(after));

type Members = Readonly<Record<string, unknown>>;

/** Inside the original these stand in the pod's security context. */
function printed(spec: PodSpec): string {
  const all = withGoNames(PodSpec, spec) as Members;
  const context = spec.securityContext == null ? null : (all['SecurityContext'] as Members);
  const whole = {
    ...all,
    SecurityContext:
      context === null
        ? null
        : pick({ ...all, ...context, RunAsUser: context['RunAsUser'] }, securityContextOrder),
  };
  return indented(pick(whole, specOrder));
}

const pick = (members: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, members[name] ?? null]));

const securityContextOrder = [
  'HostNetwork',
  'HostPID',
  'HostIPC',
  'ShareProcessNamespace',
  'HostUsers',
  'SELinuxOptions',
  'WindowsOptions',
  'RunAsUser',
  'RunAsGroup',
  'RunAsNonRoot',
  'SupplementalGroups',
  'SupplementalGroupsPolicy',
  'FSGroup',
  'FSGroupChangePolicy',
  'Sysctls',
  'SeccompProfile',
  'AppArmorProfile',
  'SELinuxChangePolicy',
];

const specOrder = [
  'Volumes',
  'InitContainers',
  'Containers',
  'EphemeralContainers',
  'RestartPolicy',
  'TerminationGracePeriodSeconds',
  'ActiveDeadlineSeconds',
  'DNSPolicy',
  'NodeSelector',
  'ServiceAccountName',
  'AutomountServiceAccountToken',
  'NodeName',
  'SecurityContext',
  'ImagePullSecrets',
  'Hostname',
  'Subdomain',
  'SetHostnameAsFQDN',
  'Affinity',
  'SchedulerName',
  'Tolerations',
  'HostAliases',
  'PriorityClassName',
  'Priority',
  'PreemptionPolicy',
  'DNSConfig',
  'ReadinessGates',
  'RuntimeClassName',
  'Overhead',
  'EnableServiceLinks',
  'TopologySpreadConstraints',
  'OS',
  'SchedulingGates',
  'ResourceClaims',
  'Resources',
  'HostnameOverride',
  'SchedulingGroup',
];
