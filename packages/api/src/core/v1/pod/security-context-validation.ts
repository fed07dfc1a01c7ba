/** Validates security contexts of pods and containers. */

import {
  checkDnsSubdomain,
  checkGroupId,
  checkUserId,
  referencedText,
  type FieldPath,
} from '@coxswain/apimachinery';
import type { Errors } from '../../../meta/checks.ts';
import { goStruct } from '../../../meta/go-struct.ts';
import { localDescendingPath } from './path-validation.ts';
import type { PodOptions } from './pod-options.ts';
import type { PodSpec } from '../pod-spec.ts';
import {
  SeccompProfile,
  SecurityContext,
  type AppArmorProfile,
  type Sysctl,
  type WindowsSecurityContextOptions,
} from '../security-context.ts';

export function validatePodSecurity(
  spec: PodSpec,
  specPath: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  const context = spec.securityContext;
  if (context == null) return;
  const path = specPath.child('securityContext');
  validateId(context.fsGroup, path, 'fsGroup', checkGroupId, errors);
  validateId(context.runAsUser, path, 'runAsUser', checkUserId, errors);
  validateId(context.runAsGroup, path, 'runAsGroup', checkGroupId, errors);
  for (const [index, group] of (context.supplementalGroups ?? []).entries()) {
    for (const message of checkGroupId(group)) {
      errors.invalid(path.child('supplementalGroups').index(index), group, message);
    }
  }
  if (spec.shareProcessNamespace && spec.hostPID) {
    errors.invalid(
      path.child('shareProcessNamespace'),
      true,
      'ShareProcessNamespace and HostPID cannot both be enabled',
    );
  }
  validateSysctls(context.sysctls ?? [], spec, path, options, errors);
  supportedMember(
    context.fsGroupChangePolicy,
    path,
    'fsGroupChangePolicy',
    ['Always', 'OnRootMismatch'],
    errors,
  );
  validateSeccomp(context.seccompProfile, path, errors);
  validateWindowsOptions(context.windowsOptions, path, errors);
  validateAppArmor(context.appArmorProfile, path, errors);
  supportedMember(
    context.supplementalGroupsPolicy,
    path,
    'supplementalGroupsPolicy',
    ['Merge', 'Strict'],
    errors,
  );
  supportedMember(
    context.seLinuxChangePolicy,
    path,
    'seLinuxChangePolicy',
    options.volumeLabelsByMount ? ['MountOption', 'Recursive'] : ['Recursive'],
    errors,
  );
}

export function validateContainerSecurity(
  context: SecurityContext | null | undefined,
  hostUsers: boolean,
  path: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  if (context == null) return;
  if (context.privileged && !options.allowPrivileged) {
    errors.forbidden(path.child('privileged'), 'disallowed by cluster policy');
  }
  validateId(context.runAsUser, path, 'runAsUser', checkUserId, errors);
  validateId(context.runAsGroup, path, 'runAsGroup', checkGroupId, errors);
  if (context.procMount != null) {
    supportedMember(context.procMount, path, 'procMount', ['Default', 'Unmasked'], errors);
    if (hostUsers && context.procMount === 'Unmasked') {
      errors.invalid(
        path.child('procMount'),
        context.procMount,
        '`hostUsers` must be false to use `Unmasked`',
      );
    }
  }
  validateSeccomp(context.seccompProfile, path, errors);
  if (context.allowPrivilegeEscalation === false) validateEscalation(context, path, errors);
  validateWindowsOptions(context.windowsOptions, path, errors);
  validateAppArmor(context.appArmorProfile, path, errors);
}

function validateEscalation(context: SecurityContext, path: FieldPath, errors: Errors): void {
  const wrong = (what: string): void => {
    errors.invalid(
      path,
      goStruct(SecurityContext, context),
      `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
    );
  };
  if (context.privileged) wrong('`privileged` to true');
  for (const capability of context.capabilities?.add ?? []) {
    if (capability === 'CAP_SYS_ADMIN') wrong('`capabilities.Add` CAP_SYS_ADMIN');
  }
}

function validateId(
  id: number | null | undefined,
  path: FieldPath,
  name: string,
  test: (id: number) => readonly string[],
  errors: Errors,
): void {
  if (id == null) return;
  for (const message of test(id)) errors.invalid(path.child(name), id, message);
}

function supportedMember(
  value: string | null | undefined,
  path: FieldPath,
  name: string,
  supported: readonly string[],
  errors: Errors,
): void {
  if (value != null && !supported.includes(value)) {
    errors.notSupported(path.child(name), value, supported);
  }
}

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateSeccomp(
  profile: SeccompProfile | null | undefined,
  parent: FieldPath,
  errors: Errors,
): void {
  if (profile == null) return;
  const path = parent.child('seccompProfile');
  if (!profile.type) errors.required(path.child('type'), 'type is required when seccompProfile is set');
  else supportedMember(profile.type, path, 'type', profileTypes, errors);
  const file = profile.localhostProfile;
  if (profile.type !== 'Localhost') {
    if (file != null) {
      errors.invalid(
        path.child('localhostProfile'),
        goStruct(SeccompProfile, profile),
        'can only be set when seccomp type is Localhost',
      );
    }
  } else if (file == null) {
    errors.required(path.child('localhostProfile'), 'must be set when seccomp type is Localhost');
  } else {
    localDescendingPath(file, path.child('localhostProfile'), errors);
  }
}

/** PATH_MAX without the terminating zero. */
const appArmorProfileLengthMax = 4095;

function validateAppArmor(
  profile: AppArmorProfile | null | undefined,
  parent: FieldPath,
  errors: Errors,
): void {
  if (profile == null) return;
  const path = parent.child('appArmorProfile');
  const name = profile.localhostProfile;
  const namePath = (): FieldPath => path.child('localhostProfile');
  if (profile.type === 'Localhost') {
    const missing = (): void => {
      errors.required(namePath(), 'must be set when AppArmor type is Localhost');
    };
    if (name == null) return missing();
    if (name.trim() !== name) errors.invalid(namePath(), name, 'must not be padded with whitespace');
    else if (name === '') missing();
    if (name.length > appArmorProfileLengthMax) errors.tooLong(namePath(), appArmorProfileLengthMax);
  } else if (profile.type === 'RuntimeDefault' || profile.type === 'Unconfined') {
    if (name != null) {
      errors.invalid(namePath(), name, 'can only be set when AppArmor type is Localhost');
    }
  } else if (!profile.type) {
    errors.required(path.child('type'), 'type is required when appArmorProfile is set');
  } else {
    errors.notSupported(path.child('type'), profile.type, profileTypes);
  }
}

const sysctlNamePattern = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const sysctlNameRule =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

function validateSysctls(
  sysctls: readonly Sysctl[],
  spec: PodSpec,
  parent: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  const names = new Set<string>();
  for (const [index, { name }] of sysctls.entries()) {
    const path = parent.child('sysctls').index(index).child('name');
    if (!name) errors.required(path);
    else if (name.length > 253 || !sysctlNamePattern.test(name)) errors.invalid(path, name, sysctlNameRule);
    else if (names.has(name)) errors.duplicate(path, name);
    names.add(name);
    if (options.hostNamespaceSysctls) continue;
    const clash = sysctlClash(name, spec);
    if (clash !== undefined) errors.invalid(path, name, clash);
  }
}

/** The reason that a pod which shares a node's namespace cannot set that namespace's sysctls. */
export function sysctlClash(name: string | undefined, spec: PodSpec): string | undefined {
  const namespace = sysctlNamespace(name ?? '');
  if (spec.hostNetwork && namespace === 'net') return "may not be specified when 'hostNetwork' is true";
  if (spec.hostIPC && namespace === 'ipc') return "may not be specified when 'hostIPC' is true";
  return undefined;
}

/** If the name contains a slash, slashes and dots are swapped. */
function sysctlNamespace(name: string): 'ipc' | 'net' | undefined {
  const separator = /[./]/.exec(name)?.[0];
  const dotted =
    separator === '/' ? name.replaceAll(/[./]/g, (character) => (character === '/' ? '.' : '/')) : name;
  if (
    /^(kernel\.(sem|shm|shmall|shmmax|shmmni|shm_rmid_forced|msg|msgmax|msgmnb|msgmni)$|fs\.mqueue\.)/.test(
      dotted,
    )
  )
    return 'ipc';
  return dotted.startsWith('net.') ? 'net' : undefined;
}

const gmsaSpecBytesMax = 64 * 1024;
const domainLengthMax = 256;
const userLengthMax = 104;

export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | null | undefined,
  parent: FieldPath,
  errors: Errors,
): void {
  if (options == null) return;
  const path = parent.child('windowsOptions');
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  if (gmsaCredentialSpecName != null) {
    for (const message of checkDnsSubdomain(gmsaCredentialSpecName)) {
      errors.invalid(path.child('gmsaCredentialSpecName'), referencedText(gmsaCredentialSpecName), message);
    }
  }
  if (gmsaCredentialSpec === '') {
    errors.invalid(path.child('gmsaCredentialSpec'), '', 'gmsaCredentialSpec cannot be an empty string');
  } else if ((gmsaCredentialSpec ?? '').length > gmsaSpecBytesMax) {
    errors.invalid(
      path.child('gmsaCredentialSpec'),
      gmsaCredentialSpec,
      'gmsaCredentialSpec size must be under 64 KiB',
    );
  }
  if (runAsUserName == null) return;
  for (const message of windowsUserProblems(runAsUserName)) {
    errors.invalid(path.child('runAsUserName'), referencedText(runAsUserName), message);
  }
}

function* windowsUserProblems(name: string): Generator<string> {
  if (name === '') return yield 'runAsUserName cannot be an empty string';
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(name)) return yield 'runAsUserName cannot contain control characters';
  const parts = name.split('\\');
  if (parts.length > 2) return yield 'runAsUserName cannot contain more than one backslash';
  const user = parts.at(-1)!;
  const domain = parts.length === 2 ? parts[0]! : undefined;
  if ((domain ?? '').length >= domainLengthMax) {
    yield `runAsUserName's Domain length must be under ${domainLengthMax} characters`;
  }
  if (domain !== undefined && !netBiosPattern.test(domain) && !domainPattern.test(domain)) {
    yield "runAsUserName's Domain doesn't match the NetBios nor the DNS format";
  }
  if (user === '') yield "runAsUserName's User cannot be empty";
  else if (user.length > userLengthMax) {
    yield `runAsUserName's User length must not be longer than ${userLengthMax} characters`;
  }
  if (/^[. ]+$/.test(user)) yield "runAsUserName's User cannot contain only periods or spaces";
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    yield 'runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]';
  }
}

const netBiosPattern = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const domainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/i;
