/** The security context of a container: its own settings take precedence over its pod's. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Input } from '@coxswain/protobuf';
import type { ImageUser } from '../images/runtime-images.ts';
import { effectiveSecurity } from '../pod/effective-security.ts';
import type { LinuxContainerSecurityContext } from '../cri/container-messages.ts';
import {
  NamespaceMode,
  ProfileType,
  SupplementalGroupsPolicy,
  type LinuxSandboxSecurityContext,
} from '../cri/sandbox-messages.ts';
import type { UserRange } from './user-ranges.ts';

export interface SecurityDefaults {
  /** `seccompDefault`: containers without a profile get the runtime's default. */
  readonly seccompDefault: boolean;
  /** The directory of Localhost profiles. */
  readonly seccompRoot: string;
  /** Per-processor files that are masked in addition to those of every machine. */
  readonly processorPaths: readonly string[];
}

type ContainerSecurity = Input<typeof LinuxContainerSecurityContext>;

export function containerSecurity(
  pod: Pod,
  container: Container,
  user: ImageUser,
  defaults: SecurityDefaults,
  users?: UserRange,
): ContainerSecurity {
  const effective = effectiveSecurity(pod, container);
  const { capabilities, runAsUser, runAsGroup } = effective;
  const isUnmasked = effective.procMount === 'Unmasked';
  const apparmor = apparmorOf(pod, container);
  return {
    ...(capabilities
      ? {
          capabilities: {
            addCapabilities: capabilities.add ?? [],
            dropCapabilities: capabilities.drop ?? [],
          },
        }
      : {}),
    privileged: effective.privileged ?? false,
    namespaceOptions: namespacesOf(pod, users),
    ...(effective.seLinuxOptions ? { selinuxOptions: effective.seLinuxOptions } : {}),
    ...(runAsUser !== undefined && runAsUser !== null
      ? { runAsUser: { value: Number(runAsUser) } }
      : userOfImage(user)),
    ...(runAsGroup !== undefined && runAsGroup !== null ? { runAsGroup: { value: Number(runAsGroup) } } : {}),
    readonlyRootfs: effective.readOnlyRootFilesystem ?? false,
    supplementalGroups: supplementalGroups(pod),
    supplementalGroupsPolicy: groupsPolicy(pod),
    noNewPrivs: effective.allowPrivilegeEscalation === false,
    maskedPaths: isUnmasked ? [] : [...maskedPaths, ...defaults.processorPaths],
    readonlyPaths: isUnmasked ? [] : readonlyPaths,
    seccomp: seccompOf(
      container.securityContext?.seccompProfile ?? pod.spec?.securityContext?.seccompProfile ?? undefined,
      defaults,
    ),
    ...(apparmor === undefined ? {} : apparmor),
  };
}

const userOfImage = ({ uid, username }: ImageUser) => ({
  ...(uid === undefined ? {} : { runAsUser: { value: uid } }),
  ...(username === undefined ? {} : { runAsUsername: username }),
});

export function sandboxSecurity(pod: Pod, users?: UserRange): Input<typeof LinuxSandboxSecurityContext> {
  const context = pod.spec?.securityContext;
  const { runAsUser, runAsGroup, seLinuxOptions } = context ?? {};
  return {
    privileged: allContainers(pod).some(({ securityContext }) => securityContext?.privileged),
    seccomp: { profileType: ProfileType.runtimeDefault },
    ...(context
      ? {
          namespaceOptions: namespacesOf(pod, users),
          ...(runAsUser !== undefined && runAsUser !== null
            ? { runAsUser: { value: Number(runAsUser) } }
            : {}),
          ...(runAsGroup !== undefined && runAsGroup !== null
            ? { runAsGroup: { value: Number(runAsGroup) } }
            : {}),
          supplementalGroups: supplementalGroups(pod),
          supplementalGroupsPolicy: groupsPolicy(pod),
          ...(seLinuxOptions ? { selinuxOptions: seLinuxOptions } : {}),
        }
      : {}),
  };
}

const allContainers = ({ spec }: Pod): readonly Pick<Container, 'securityContext'>[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
  ...(spec?.ephemeralContainers ?? []),
];

const groupsPolicy = ({ spec }: Pod): number =>
  SupplementalGroupsPolicy[spec?.securityContext?.supplementalGroupsPolicy ?? 'Merge'];

function supplementalGroups({ spec }: Pod): number[] {
  const { fsGroup, supplementalGroups: own } = spec?.securityContext ?? {};
  return [...(fsGroup !== undefined && fsGroup !== null ? [fsGroup] : []), ...(own ?? [])].map(Number);
}

function namespacesOf({ spec }: Pod, users: UserRange | undefined) {
  const pid = spec?.hostPID
    ? NamespaceMode.node
    : spec?.shareProcessNamespace
      ? NamespaceMode.pod
      : NamespaceMode.container;
  return {
    network: spec?.hostNetwork ? NamespaceMode.node : NamespaceMode.pod,
    pid,
    ipc: spec?.hostIPC ? NamespaceMode.node : NamespaceMode.pod,
    usernsOptions:
      users === undefined
        ? { mode: NamespaceMode.node }
        : { mode: NamespaceMode.pod, uids: [users], gids: [users] },
  };
}

/** @throws Error if the pod must not run as root but would, or if that can't be determined */
export function refuseRoot(pod: Pod, container: Container, { uid, username }: ImageUser): void {
  const { runAsNonRoot, runAsUser } = effectiveSecurity(pod, container);
  if (!runAsNonRoot) return;
  const { name, namespace, uid: podUid } = pod.metadata ?? {};
  const place = `(pod: "${name}_${namespace}(${podUid})", container: ${container.name})`;
  if (runAsUser !== undefined && runAsUser !== null) {
    if (Number(runAsUser) === 0) throw new Error(`container's runAsUser breaks non-root policy ${place}`);
    return;
  }
  if (uid === undefined && username) {
    const cannot = `image has non-numeric user (${username}), cannot verify user is non-root`;
    throw new Error(`container has runAsNonRoot and ${cannot} ${place}`);
  }
  if (uid === 0) throw new Error(`container has runAsNonRoot and image will run as root ${place}`);
}

interface Profile {
  readonly type: string;
  readonly localhostProfile?: string | null;
}

function seccompOf(profile: Profile | undefined, { seccompDefault, seccompRoot }: SecurityDefaults) {
  if (profile === undefined)
    return { profileType: seccompDefault ? ProfileType.runtimeDefault : ProfileType.unconfined };
  if (profile.type === 'RuntimeDefault') return { profileType: ProfileType.runtimeDefault };
  if (profile.type !== 'Localhost') return { profileType: ProfileType.unconfined };
  if (!profile.localhostProfile)
    throw new Error('localhostProfile must be set if seccompProfile type is Localhost.');
  return { profileType: ProfileType.localhost, localhostRef: `${seccompRoot}/${profile.localhostProfile}` };
}

const apparmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/';

/** Also in the deprecated form, for runtimes that only know that. */
function apparmorOf(pod: Pod, container: Container) {
  const profile =
    container.securityContext?.appArmorProfile ??
    apparmorOfAnnotation(pod.metadata?.annotations?.[apparmorAnnotation + container.name]) ??
    pod.spec?.securityContext?.appArmorProfile;
  if (!profile) return undefined;
  if (profile.type === 'RuntimeDefault')
    return { apparmor: { profileType: ProfileType.runtimeDefault }, apparmorProfile: 'runtime/default' };
  if (profile.type === 'Unconfined')
    return { apparmor: { profileType: ProfileType.unconfined }, apparmorProfile: 'unconfined' };
  if (!profile.localhostProfile) throw new Error('missing localhost apparmor profile name');
  return {
    apparmor: { profileType: ProfileType.localhost, localhostRef: profile.localhostProfile },
    apparmorProfile: `localhost/${profile.localhostProfile}`,
  };
}

function apparmorOfAnnotation(text: string | undefined): Profile | undefined {
  if (text === 'runtime/default') return { type: 'RuntimeDefault' };
  if (text === 'unconfined') return { type: 'Unconfined' };
  if (!text?.startsWith('localhost/')) return undefined;
  return { type: 'Localhost', localhostProfile: text.slice('localhost/'.length) };
}

const maskedPaths: readonly string[] = [
  '/proc/asound',
  '/proc/acpi',
  '/proc/interrupts',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
  '/sys/devices/virtual/powercap',
];

const readonlyPaths: readonly string[] = [
  '/proc/bus',
  '/proc/fs',
  '/proc/irq',
  '/proc/sys',
  '/proc/sysrq-trigger',
];
