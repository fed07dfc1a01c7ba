/** What a container's devices add to its configuration. */
import type { ContainerDevice, ContainerMount } from '../../cri/container-messages.ts';
import type { DeviceGrant } from './device-checkpoint.ts';

export interface ContainerDevices {
  readonly environment: ReadonlyMap<string, string>;
  readonly mounts: readonly ContainerMount[];
  readonly devices: readonly ContainerDevice[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly cdiDevices: readonly { readonly name: string }[];
}

/** If two resources set the same name or path, the first one wins. */
export function devicesOfGrants(grants: readonly Pick<DeviceGrant, 'answer'>[]): ContainerDevices {
  const environment = new Map<string, string>();
  const mounts = new Map<string, ContainerMount>();
  const devices = new Map<string, ContainerDevice>();
  const annotations = new Map<string, string>();
  const cdiNames = new Set<string>();
  for (const { answer } of grants) {
    for (const { key, value } of answer.envs) setIfNew(environment, key, value);
    for (const { key, value } of answer.annotations) setIfNew(annotations, key, value);
    for (const { name } of answer.cdiDevices) cdiNames.add(name);
    for (const { containerPath, hostPath, permissions } of answer.devices)
      setIfNew(devices, containerPath, { containerPath, hostPath, permissions });
    for (const { containerPath, hostPath, readOnly } of answer.mounts)
      setIfNew(mounts, containerPath, { containerPath, hostPath, readonly: readOnly });
  }
  return {
    environment,
    mounts: [...mounts.values()],
    devices: [...devices.values()],
    annotations: Object.fromEntries(annotations),
    cdiDevices: [...cdiNames].map((name) => ({ name })),
  };
}

function setIfNew<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (!map.has(key)) map.set(key, value);
}
