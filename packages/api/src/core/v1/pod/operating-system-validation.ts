/** Validates that pods for one operating system don't use features of another. */

import type { FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../../../meta/checks.ts';
import { visitContainers } from './pod-containers.ts';
import type { PodSpec } from '../pod-spec.ts';
import type { PodOptions } from './pod-options.ts';

export function validateOperatingSystem(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const name = spec.os!.name;
  if (!name) errors.required(path.child('os', 'name'));
  else if (name === 'linux') validateLinux(spec, path, errors);
  else if (name === 'windows') validateWindows(spec, path, errors);
  else errors.notSupported(path.child('os'), name, ['linux', 'windows']);
}

function validateLinux(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const refused = 'windows options cannot be set for a linux pod';
  if (spec.securityContext?.windowsOptions != null) {
    errors.forbidden(path.child('securityContext', 'windowsOptions'), refused);
  }
  visitContainers(spec, path, (container, containerPath) => {
    if (container.securityContext?.windowsOptions != null) {
      errors.forbidden(containerPath.child('securityContext', 'windowsOptions'), refused);
    }
  });
}

type Members = Readonly<Record<string, unknown>>;

/** In upstream's order; the pod's own members are among those of its security context. */
const podMembers = [
  'securityContext.appArmorProfile',
  'securityContext.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
  'securityContext.supplementalGroupsPolicy',
  'securityContext.seLinuxChangePolicy',
];

const containerMembers = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

function validateWindows(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const refused = 'cannot be set for a windows pod';
  if (spec.securityContext != null) {
    for (const member of podMembers) {
      const names = member.split('.');
      const value = names.reduce<unknown>((object, name) => (object as Members)[name], spec);
      const isSet = member === 'hostPID' || member === 'hostIPC' ? value === true : value != null;
      if (isSet && !(member.endsWith('sysctls') && (value as unknown[]).length === 0)) {
        errors.forbidden(path.child(...names), refused);
      }
    }
  }
  visitContainers(spec, path, (container, containerPath) => {
    const context = container.securityContext as Members | null | undefined;
    if (context == null) return;
    for (const member of containerMembers) {
      if (context[member] != null) {
        errors.forbidden(containerPath.child('securityContext', member), refused);
      }
    }
  });
}

/** A pod with host process containers on Windows: either all of them are, and it must use the host's network. */
export function validateWindowsHostProcess(
  spec: PodSpec,
  path: FieldPath,
  options: PodOptions,
  errors: Errors,
): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let count = 0;
  let hostCount = 0;
  visitContainers(spec, path, (container, containerPath) => {
    count++;
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod != null && own != null && ofPod !== own) {
      errors.invalid(
        containerPath.child('securityContext', 'windowsOptions', 'hostProcess'),
        own,
        `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
      );
    }
    if (own ?? ofPod) hostCount++;
  });
  if (hostCount === 0) return;
  if (hostCount !== count) {
    errors.invalid(
      path,
      '',
      'If pod contains any hostProcess containers then all containers must be HostProcess containers',
    );
  }
  if (!spec.hostNetwork) {
    errors.invalid(
      path.child('hostNetwork'),
      false,
      'hostNetwork must be true if pod contains any hostProcess containers',
    );
  }
  if (!options.allowPrivileged) {
    errors.forbidden(path, 'hostProcess containers are disallowed by cluster policy');
  }
}
