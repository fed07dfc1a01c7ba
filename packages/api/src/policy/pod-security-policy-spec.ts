import * as t from '@coxswain/schema';
import { SELinuxOptions } from '../core/v1/security-context.ts';

export type PodSecurityPolicySpec = t.Static<ReturnType<typeof specOf>>;

export function specOf(directory: string) {
  const { rule, anyRule, host, driver } = partsOf(directory);
  return t.struct(`${directory}.PodSecurityPolicySpec`, {
    privileged: t.optional(1, t.bool),
    defaultAddCapabilities: t.optional(2, t.list(t.string)),
    requiredDropCapabilities: t.optional(3, t.list(t.string)),
    allowedCapabilities: t.optional(4, t.list(t.string)),
    volumes: t.optional(5, t.list(t.string)),
    hostNetwork: t.optional(6, t.bool),
    hostPorts: t.optional(7, t.list(host.portRange)),
    hostPID: t.optional(8, t.bool),
    hostIPC: t.optional(9, t.bool),
    seLinux: t.always(10, rule.seLinux, { go: 'SELinux' }),
    runAsUser: t.always(11, rule.runAsUser),
    runAsGroup: t.pointer(22, rule.runAsGroup),
    supplementalGroups: t.always(12, anyRule.supplementalGroups),
    fsGroup: t.always(13, anyRule.fsGroup, { go: 'FSGroup' }),
    readOnlyRootFilesystem: t.optional(14, t.bool),
    defaultAllowPrivilegeEscalation: t.pointer(15, t.bool),
    allowPrivilegeEscalation: t.pointer(16, t.bool, { default: true }),
    allowedHostPaths: t.optional(17, t.list(host.path)),
    allowedFlexVolumes: t.optional(18, t.list(driver.flexVolume)),
    allowedCSIDrivers: t.optional(23, t.list(driver.csi), { go: 'AllowedCSIDrivers' }),
    allowedUnsafeSysctls: t.optional(19, t.list(t.string)),
    forbiddenSysctls: t.optional(20, t.list(t.string)),
    allowedProcMountTypes: t.optional(21, t.list(t.string)),
    runtimeClass: t.pointer(24, rule.runtimeClass),
  });
}

export function partsOf(directory: string) {
  const ranges = t.optional(
    2,
    t.list(t.struct(`${directory}.IDRange`, { min: t.always(1, t.int64), max: t.always(2, t.int64) })),
  );
  return {
    rule: {
      seLinux: t.struct(`${directory}.SELinuxStrategyOptions`, {
        rule: t.always(1, t.string),
        seLinuxOptions: t.pointer(2, SELinuxOptions, { go: 'SELinuxOptions' }),
      }),
      runAsUser: t.struct(`${directory}.RunAsUserStrategyOptions`, { rule: t.always(1, t.string), ranges }),
      runAsGroup: t.struct(`${directory}.RunAsGroupStrategyOptions`, { rule: t.always(1, t.string), ranges }),
      runtimeClass: t.struct(`${directory}.RuntimeClassStrategyOptions`, {
        allowedRuntimeClassNames: t.always(1, t.list(t.string)),
        defaultRuntimeClassName: t.pointer(2, t.string),
      }),
    },
    anyRule: {
      supplementalGroups: t.struct(`${directory}.SupplementalGroupsStrategyOptions`, {
        rule: t.optional(1, t.string),
        ranges,
      }),
      fsGroup: t.struct(`${directory}.FSGroupStrategyOptions`, { rule: t.optional(1, t.string), ranges }),
    },
    host: {
      portRange: t.struct(`${directory}.HostPortRange`, {
        min: t.always(1, t.int32),
        max: t.always(2, t.int32),
      }),
      path: t.struct(`${directory}.AllowedHostPath`, {
        pathPrefix: t.optional(1, t.string),
        readOnly: t.optional(2, t.bool),
      }),
    },
    driver: {
      flexVolume: t.struct(`${directory}.AllowedFlexVolume`, { driver: t.always(1, t.string) }),
      csi: t.struct(`${directory}.AllowedCSIDriver`, { name: t.always(1, t.string) }),
    },
  };
}
