/** PodSecurityPolicy, which two groups had in the same shape until Kubernetes 1.25. */
import {
  always,
  bool,
  int32,
  int64,
  kind,
  list,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { SELinuxOptions } from '../core/v1/security-context.ts';
import { policyColumns } from './pod-security-policy-columns.ts';
import { validatePodSecurityPolicy } from './pod-security-policy-validation.ts';

/** @param folder the group version: `policy/v1beta1` or `extensions/v1beta1` */
export function podSecurityPolicyKind(folder: 'policy/v1beta1' | 'extensions/v1beta1') {
  return kind(
    `${folder}.PodSecurityPolicy`,
    folder,
    { plural: 'podsecuritypolicies', shortNames: ['psp'], namespaced: false },
    {
      metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
      spec: optional(2, specOf(folder)),
    },
    { validate: validatePodSecurityPolicy, columns: policyColumns },
  );
}

export type PodSecurityPolicySpec = Static<ReturnType<typeof specOf>>;

function specOf(folder: string) {
  const { rule, anyRule, host, driver } = partsOf(folder);
  return struct(`${folder}.PodSecurityPolicySpec`, {
    privileged: optional(1, bool),
    defaultAddCapabilities: optional(2, list(string)),
    requiredDropCapabilities: optional(3, list(string)),
    allowedCapabilities: optional(4, list(string)),
    volumes: optional(5, list(string)),
    hostNetwork: optional(6, bool),
    hostPorts: optional(7, list(host.portRange)),
    hostPID: optional(8, bool),
    hostIPC: optional(9, bool),
    seLinux: always(10, rule.seLinux, { go: 'SELinux' }),
    runAsUser: always(11, rule.runAsUser),
    runAsGroup: pointer(22, rule.runAsGroup),
    supplementalGroups: always(12, anyRule.supplementalGroups),
    fsGroup: always(13, anyRule.fsGroup, { go: 'FSGroup' }),
    readOnlyRootFilesystem: optional(14, bool),
    defaultAllowPrivilegeEscalation: pointer(15, bool),
    allowPrivilegeEscalation: pointer(16, bool, { default: true }),
    allowedHostPaths: optional(17, list(host.path)),
    allowedFlexVolumes: optional(18, list(driver.flexVolume)),
    allowedCSIDrivers: optional(23, list(driver.csi), { go: 'AllowedCSIDrivers' }),
    allowedUnsafeSysctls: optional(19, list(string)),
    forbiddenSysctls: optional(20, list(string)),
    allowedProcMountTypes: optional(21, list(string)),
    runtimeClass: pointer(24, rule.runtimeClass),
  });
}

function partsOf(folder: string) {
  const ranges = optional(
    2,
    list(struct(`${folder}.IDRange`, { min: always(1, int64), max: always(2, int64) })),
  );
  return {
    rule: {
      seLinux: struct(`${folder}.SELinuxStrategyOptions`, {
        rule: always(1, string),
        seLinuxOptions: pointer(2, SELinuxOptions, { go: 'SELinuxOptions' }),
      }),
      runAsUser: struct(`${folder}.RunAsUserStrategyOptions`, { rule: always(1, string), ranges }),
      runAsGroup: struct(`${folder}.RunAsGroupStrategyOptions`, { rule: always(1, string), ranges }),
      runtimeClass: struct(`${folder}.RuntimeClassStrategyOptions`, {
        allowedRuntimeClassNames: always(1, list(string)),
        defaultRuntimeClassName: pointer(2, string),
      }),
    },
    anyRule: {
      supplementalGroups: struct(`${folder}.SupplementalGroupsStrategyOptions`, {
        rule: optional(1, string),
        ranges,
      }),
      fsGroup: struct(`${folder}.FSGroupStrategyOptions`, { rule: optional(1, string), ranges }),
    },
    host: {
      portRange: struct(`${folder}.HostPortRange`, { min: always(1, int32), max: always(2, int32) }),
      path: struct(`${folder}.AllowedHostPath`, {
        pathPrefix: optional(1, string),
        readOnly: optional(2, bool),
      }),
    },
    driver: {
      flexVolume: struct(`${folder}.AllowedFlexVolume`, { driver: always(1, string) }),
      csi: struct(`${folder}.AllowedCSIDriver`, { name: always(1, string) }),
    },
  };
}
