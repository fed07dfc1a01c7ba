/** Validates a container's volume mounts and devices. */

import type { FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../../../meta/checks.ts';
import type { Container } from '../container.ts';
import { localDescendingPath } from '../pod/path-validation.ts';
import type { VolumeMount } from '../volume-mount.ts';
import type { Volume } from '../volume.ts';

type Mounting = Pick<Container, 'volumeMounts' | 'volumeDevices' | 'securityContext'>;

export function validateMounts(
  container: Mounting,
  volumes: ReadonlyMap<string, Volume>,
  path: FieldPath,
  errors: Errors,
): void {
  const devices = container.volumeDevices ?? [];
  const deviceNames = new Set(devices.map((device) => device.name));
  const devicePaths = new Set(devices.map((device) => device.devicePath));
  const used = new Set<string>();
  const mounts = container.volumeMounts ?? [];
  for (let index = 0; index < mounts.length; index++) {
    const mount = mounts[index]!;
    const at = path.index(index);
    const { name = '', mountPath = '' } = mount;
    if (name === '') errors.required(at.child('name'));
    if (!volumes.has(name)) errors.notFound(at.child('name'), name);
    if (mountPath === '') errors.required(at.child('mountPath'));
    if (used.has(mountPath)) errors.invalid(at.child('mountPath'), mountPath, 'must be unique');
    used.add(mountPath);
    if (deviceNames.has(name)) {
      errors.invalid(at.child('name'), name, 'must not already exist in volumeDevices');
    }
    if (devicePaths.has(mountPath)) {
      errors.invalid(at.child('mountPath'), mountPath, 'must not already exist as a path in volumeDevices');
    }
    validateMount(mount, container, at, path, errors);
  }
}

/** Some errors have the path of the list, not the item, as upstream. */
function validateMount(
  mount: VolumeMount,
  container: Mounting,
  at: FieldPath,
  path: FieldPath,
  errors: Errors,
): void {
  if (mount.subPath) localDescendingPath(mount.subPath, path.child('subPath'), errors);
  if (mount.subPathExpr) {
    if (mount.subPath) {
      errors.invalid(
        at.child('subPathExpr'),
        mount.subPathExpr,
        'subPathExpr and subPath are mutually exclusive',
      );
    }
    localDescendingPath(mount.subPathExpr, path.child('subPathExpr'), errors);
  }
  if (mount.mountPropagation != null) {
    validatePropagation(mount.mountPropagation, container, path.child('mountPropagation'), errors);
  }
  if (mount.recursiveReadOnly != null)
    validateRecursiveReadOnly(mount, path.child('recursiveReadOnly'), errors);
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

function validatePropagation(mode: string, container: Mounting, path: FieldPath, errors: Errors): void {
  if (!propagations.includes(mode)) errors.notSupported(path, mode, propagations);
  if (mode === 'Bidirectional' && !container.securityContext?.privileged) {
    errors.forbidden(path, 'Bidirectional mount propagation is available only to privileged containers');
  }
}

const recursiveModes = ['Disabled', 'Enabled', 'IfPossible'];

function validateRecursiveReadOnly(mount: VolumeMount, path: FieldPath, errors: Errors): void {
  const mode = mount.recursiveReadOnly!;
  if (!recursiveModes.includes(mode)) errors.notSupported(path, mode, recursiveModes);
  else if (mode !== 'Disabled') {
    if (!mount.readOnly) errors.forbidden(path, 'may only be specified when readOnly is true');
    if (mount.mountPropagation != null && mount.mountPropagation !== 'None') {
      errors.forbidden(path, 'may only be specified when mountPropagation is None or not specified');
    }
  }
}

export function validateDevices(
  container: Mounting,
  volumes: ReadonlyMap<string, Volume>,
  path: FieldPath,
  errors: Errors,
): void {
  const mounts = container.volumeMounts ?? [];
  const mountNames = new Set(mounts.map((mount) => mount.name));
  const mountPaths = new Set(mounts.map((mount) => mount.mountPath));
  const paths = new Set<string>();
  const names = new Set<string>();
  for (const [index, { name = '', devicePath = '' }] of (container.volumeDevices ?? []).entries()) {
    const at = path.index(index);
    const volume = volumes.get(name);
    if (name === '') errors.required(at.child('name'));
    if (names.has(name)) errors.invalid(at.child('name'), name, 'must be unique');
    if (volume === undefined) errors.notFound(at.child('name'), name);
    else if (volume.persistentVolumeClaim == null && volume.ephemeral == null) {
      errors.invalid(
        at.child('name'),
        name,
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      );
    }
    if (devicePath === '') errors.required(at.child('devicePath'));
    if (paths.has(devicePath)) errors.invalid(at.child('devicePath'), devicePath, 'must be unique');
    if (devicePath.split('/').includes('..')) {
      errors.invalid(at.child('devicePath'), devicePath, "can not contain backsteps ('..')");
    } else paths.add(devicePath);
    if (mountNames.has(name)) {
      errors.invalid(at.child('name'), name, 'must not already exist in volumeMounts');
    }
    if (mountPaths.has(devicePath)) {
      errors.invalid(at.child('devicePath'), devicePath, 'must not already exist as a path in volumeMounts');
    }
    if (name !== '') names.add(name);
  }
}
