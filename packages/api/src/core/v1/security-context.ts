import * as t from '@coxswain/schema';

export const AppArmorProfile = t.struct(
  'core/v1.AppArmorProfile',
  {
    type: t.always(
      1,
      t.named('v1.AppArmorProfileType', t.oneOf(['Unconfined', 'RuntimeDefault', 'Localhost'])),
      {
        required: true,
      },
    ),
    localhostProfile: t.pointer(2, t.string),
  },
  { unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }] },
);
export interface AppArmorProfile extends t.Static<typeof AppArmorProfile> {}

export const Capabilities = t.struct('core/v1.Capabilities', {
  add: t.optional(1, t.atomicList(t.named('v1.Capability', t.string))),
  drop: t.optional(2, t.atomicList(t.named('v1.Capability', t.string))),
});
export interface Capabilities extends t.Static<typeof Capabilities> {}

export const SELinuxOptions = t.struct('core/v1.SELinuxOptions', {
  user: t.optional(1, t.string),
  role: t.optional(2, t.string),
  type: t.optional(3, t.string),
  level: t.optional(4, t.string),
});
export interface SELinuxOptions extends t.Static<typeof SELinuxOptions> {}

export const WindowsSecurityContextOptions = t.struct('core/v1.WindowsSecurityContextOptions', {
  gmsaCredentialSpecName: t.pointer(1, t.string, { go: 'GMSACredentialSpecName' }),
  gmsaCredentialSpec: t.pointer(2, t.string, { go: 'GMSACredentialSpec' }),
  runAsUserName: t.pointer(3, t.string),
  hostProcess: t.pointer(4, t.bool),
});
export interface WindowsSecurityContextOptions extends t.Static<typeof WindowsSecurityContextOptions> {}

export const Sysctl = t.struct('core/v1.Sysctl', {
  name: t.always(1, t.string, { required: true }),
  value: t.always(2, t.string, { required: true }),
});
export interface Sysctl extends t.Static<typeof Sysctl> {}

export const SeccompProfile = t.struct(
  'core/v1.SeccompProfile',
  {
    type: t.always(
      1,
      t.named('v1.SeccompProfileType', t.oneOf(['Unconfined', 'RuntimeDefault', 'Localhost'])),
      {
        required: true,
      },
    ),
    localhostProfile: t.pointer(2, t.string),
  },
  { unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }] },
);
export interface SeccompProfile extends t.Static<typeof SeccompProfile> {}

export const PodSecurityContext = t.struct('core/v1.PodSecurityContext', {
  seLinuxOptions: t.pointer(1, SELinuxOptions, { go: 'SELinuxOptions' }),
  windowsOptions: t.pointer(8, WindowsSecurityContextOptions),
  runAsUser: t.pointer(2, t.int64),
  runAsGroup: t.pointer(6, t.int64),
  runAsNonRoot: t.pointer(3, t.bool),
  supplementalGroups: t.optional(4, t.atomicList(t.int64)),
  supplementalGroupsPolicy: t.pointer(
    12,
    t.named('v1.SupplementalGroupsPolicy', t.oneOf(['Merge', 'Strict'])),
    {
      gate: 'SupplementalGroupsPolicy',
    },
  ),
  fsGroup: t.pointer(5, t.int64, { go: 'FSGroup' }),
  sysctls: t.optional(7, t.atomicList(Sysctl)),
  fsGroupChangePolicy: t.pointer(
    9,
    t.named('v1.PodFSGroupChangePolicy', t.oneOf(['OnRootMismatch', 'Always'])),
    {
      go: 'FSGroupChangePolicy',
    },
  ),
  seccompProfile: t.pointer(10, SeccompProfile),
  appArmorProfile: t.pointer(11, AppArmorProfile),
  seLinuxChangePolicy: t.pointer(13, t.named('v1.PodSELinuxChangePolicy', t.string), {
    go: 'SELinuxChangePolicy',
    gate: 'SELinuxChangePolicy',
  }),
});
export interface PodSecurityContext extends t.Static<typeof PodSecurityContext> {}

export const SecurityContext = t.struct('core/v1.SecurityContext', {
  capabilities: t.pointer(1, Capabilities),
  privileged: t.pointer(2, t.bool),
  seLinuxOptions: t.pointer(3, SELinuxOptions, { go: 'SELinuxOptions' }),
  windowsOptions: t.pointer(10, WindowsSecurityContextOptions),
  runAsUser: t.pointer(4, t.int64),
  runAsGroup: t.pointer(8, t.int64),
  runAsNonRoot: t.pointer(5, t.bool),
  readOnlyRootFilesystem: t.pointer(6, t.bool),
  allowPrivilegeEscalation: t.pointer(7, t.bool),
  procMount: t.pointer(9, t.named('v1.ProcMountType', t.oneOf(['Default', 'Unmasked']))),
  seccompProfile: t.pointer(11, SeccompProfile),
  appArmorProfile: t.pointer(12, AppArmorProfile),
});
export interface SecurityContext extends t.Static<typeof SecurityContext> {}
