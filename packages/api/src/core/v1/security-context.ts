import {
  always,
  atomicList,
  bool,
  int64,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const AppArmorProfile = struct(
  'core/v1.AppArmorProfile',
  {
    type: always(1, named('v1.AppArmorProfileType', oneOf(['Unconfined', 'RuntimeDefault', 'Localhost'])), {
      required: true,
    }),
    localhostProfile: pointer(2, string),
  },
  { unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }] },
);
export interface AppArmorProfile extends Static<typeof AppArmorProfile> {}

export const Capabilities = struct('core/v1.Capabilities', {
  add: optional(1, atomicList(named('v1.Capability', string))),
  drop: optional(2, atomicList(named('v1.Capability', string))),
});
export interface Capabilities extends Static<typeof Capabilities> {}

export const SELinuxOptions = struct('core/v1.SELinuxOptions', {
  user: optional(1, string),
  role: optional(2, string),
  type: optional(3, string),
  level: optional(4, string),
});
export interface SELinuxOptions extends Static<typeof SELinuxOptions> {}

export const WindowsSecurityContextOptions = struct('core/v1.WindowsSecurityContextOptions', {
  gmsaCredentialSpecName: pointer(1, string, { go: 'GMSACredentialSpecName' }),
  gmsaCredentialSpec: pointer(2, string, { go: 'GMSACredentialSpec' }),
  runAsUserName: pointer(3, string),
  hostProcess: pointer(4, bool),
});
export interface WindowsSecurityContextOptions extends Static<typeof WindowsSecurityContextOptions> {}

export const Sysctl = struct('core/v1.Sysctl', {
  name: always(1, string, { required: true }),
  value: always(2, string, { required: true }),
});
export interface Sysctl extends Static<typeof Sysctl> {}

export const SeccompProfile = struct(
  'core/v1.SeccompProfile',
  {
    type: always(1, named('v1.SeccompProfileType', oneOf(['Unconfined', 'RuntimeDefault', 'Localhost'])), {
      required: true,
    }),
    localhostProfile: pointer(2, string),
  },
  { unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }] },
);
export interface SeccompProfile extends Static<typeof SeccompProfile> {}

export const PodSecurityContext = struct('core/v1.PodSecurityContext', {
  seLinuxOptions: pointer(1, SELinuxOptions, { go: 'SELinuxOptions' }),
  windowsOptions: pointer(8, WindowsSecurityContextOptions),
  runAsUser: pointer(2, int64),
  runAsGroup: pointer(6, int64),
  runAsNonRoot: pointer(3, bool),
  supplementalGroups: optional(4, atomicList(int64)),
  supplementalGroupsPolicy: pointer(12, named('v1.SupplementalGroupsPolicy', oneOf(['Merge', 'Strict'])), {
    gate: 'SupplementalGroupsPolicy',
  }),
  fsGroup: pointer(5, int64, { go: 'FSGroup' }),
  sysctls: optional(7, atomicList(Sysctl)),
  fsGroupChangePolicy: pointer(9, named('v1.PodFSGroupChangePolicy', oneOf(['OnRootMismatch', 'Always'])), {
    go: 'FSGroupChangePolicy',
  }),
  seccompProfile: pointer(10, SeccompProfile),
  appArmorProfile: pointer(11, AppArmorProfile),
  seLinuxChangePolicy: pointer(13, named('v1.PodSELinuxChangePolicy', string), {
    go: 'SELinuxChangePolicy',
    gate: 'SELinuxChangePolicy',
  }),
});
export interface PodSecurityContext extends Static<typeof PodSecurityContext> {}

export const SecurityContext = struct('core/v1.SecurityContext', {
  capabilities: pointer(1, Capabilities),
  privileged: pointer(2, bool),
  seLinuxOptions: pointer(3, SELinuxOptions, { go: 'SELinuxOptions' }),
  windowsOptions: pointer(10, WindowsSecurityContextOptions),
  runAsUser: pointer(4, int64),
  runAsGroup: pointer(8, int64),
  runAsNonRoot: pointer(5, bool),
  readOnlyRootFilesystem: pointer(6, bool),
  allowPrivilegeEscalation: pointer(7, bool),
  procMount: pointer(9, named('v1.ProcMountType', oneOf(['Default', 'Unmasked']))),
  seccompProfile: pointer(11, SeccompProfile),
  appArmorProfile: pointer(12, AppArmorProfile),
});
export interface SecurityContext extends Static<typeof SecurityContext> {}
