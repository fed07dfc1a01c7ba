/** Volumes presented to a container as block devices. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { MountedVolume } from '../volumes/mounted-volume.ts';
import type { ContainerDevice } from '../cri/container-messages.ts';

/** @throws Error for a volume that is missing or not a device */
export const blockDevices = (
  { name: container, volumeDevices }: Container,
  volumes: ReadonlyMap<string, MountedVolume>,
): ContainerDevice[] =>
  (volumeDevices ?? []).map(({ name, devicePath }) => {
    const volume = volumes.get(name);
    if (volume?.isDevice !== true)
      throw new Error(`cannot find volume "${name}" to pass into container "${container}"`);
    return {
      containerPath: devicePath,
      hostPath: volume.hostPath,
      permissions: volume.readOnly ? 'r' : 'mrw',
    };
  });
