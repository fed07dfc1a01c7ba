/** Records in a file which container has which devices, so that a restarted kubelet assigns none of them twice. */
import { createHash } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decode, encode, type Decoded } from '@coxswain/protobuf';
import { readIfThere } from '../../read-if-there.ts';
import { ContainerAllocateResponse } from './device-messages.ts';

export interface DeviceGrant {
  readonly podUid: string;
  readonly container: string;
  readonly resource: string;
  /** By NUMA node; -1 for devices that report none. */
  readonly devices: Readonly<Record<string, readonly string[]>>;
  readonly answer: Decoded<typeof ContainerAllocateResponse>;
}

export interface DeviceCheckpoint {
  readonly grants: readonly DeviceGrant[];
  /** Healthy devices by resource. */
  readonly registered: Readonly<Record<string, readonly string[]>>;
}

/** The structure is upstream's; its checksum covers Go's representation in memory, ours the JSON text. */
interface CheckpointFile {
  readonly Data: {
    readonly PodDeviceEntries: readonly {
      readonly PodUID: string;
      readonly ContainerName: string;
      readonly ResourceName: string;
      readonly DeviceIDs: Readonly<Record<string, readonly string[]>>;
      readonly AllocResp: string;
    }[];
    readonly RegisteredDevices: Readonly<Record<string, readonly string[]>>;
  };
  readonly Checksum: number;
}

const fileName = 'kubelet_internal_checkpoint';

export async function writeCheckpoint(directory: string, checkpoint: DeviceCheckpoint): Promise<void> {
  const data: CheckpointFile['Data'] = {
    PodDeviceEntries: checkpoint.grants.map(({ podUid, container, resource, devices, answer }) => ({
      PodUID: podUid,
      ContainerName: container,
      ResourceName: resource,
      DeviceIDs: devices,
      AllocResp: Buffer.from(encode(ContainerAllocateResponse, answer)).toString('base64'),
    })),
    RegisteredDevices: checkpoint.registered,
  };
  const place = path.join(directory, fileName);
  await writeFile(`${place}.new`, JSON.stringify({ Data: data, Checksum: checksumOf(data) }), {
    mode: 0o600,
  });
  await rename(`${place}.new`, place);
}

/** Undefined if there is none. @throws Error if it is damaged, or can't be read */
export async function readCheckpoint(directory: string): Promise<DeviceCheckpoint | undefined> {
  const text = readIfThere(path.join(directory, fileName));
  if (text === undefined) return undefined;
  const { Data: data, Checksum: checksum } = JSON.parse(text) as CheckpointFile;
  if (checksum !== checksumOf(data)) throw new Error('checkpoint is corrupted');
  return {
    grants: data.PodDeviceEntries.map((entry) => ({
      podUid: entry.PodUID,
      container: entry.ContainerName,
      resource: entry.ResourceName,
      devices: entry.DeviceIDs,
      answer: decode(ContainerAllocateResponse, Buffer.from(entry.AllocResp, 'base64')),
    })),
    registered: data.RegisteredDevices,
  };
}

const checksumOf = (data: CheckpointFile['Data']): number =>
  createHash('sha256').update(JSON.stringify(data)).digest().readUInt32BE(0);
