/**
 * Records in a file which claims drivers have prepared, so that a restarted kubelet can release them. The file is
 * upstream's, so either kubelet can take over from the other.
 */
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { readIfThere } from '../../read-if-there.ts';

export interface KnownClaim {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly drivers: readonly string[];
  /** The pods that use it on this node. */
  readonly podUids: readonly string[];
  readonly devices: readonly PreparedDevice[];
  /** Whether all of its drivers have succeeded, for this kubelet. */
  readonly isPrepared: boolean;
}

export interface PreparedDevice {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  /** The requests of the claim that it serves; all of them if empty. */
  readonly requests: readonly string[];
  readonly cdiDevices: readonly string[];
}

interface ClaimEntry {
  readonly ClaimUID: string;
  readonly ClaimName: string;
  readonly Namespace: string;
  readonly PodUIDs: Readonly<Record<string, object>> | null;
  readonly DriverState: Readonly<Record<string, { readonly Devices: readonly DeviceEntry[] | null }>> | null;
}

interface DeviceEntry {
  readonly PoolName: string;
  readonly DeviceName: string;
  readonly ShareID: string | null;
  readonly RequestNames: readonly string[] | null;
  readonly CDIDeviceIDs: readonly string[] | null;
}

const fileName = 'dra_manager_state';
const typeMeta = { kind: 'DRACheckpoint', apiVersion: 'checkpoint.dra.kubelet.k8s.io/v1' };

/** @throws Error if the file can't be read or is damaged: its devices would never be released */
export async function readClaims(directory: string): Promise<readonly KnownClaim[]> {
  const place = path.join(directory, fileName);
  try {
    const text = readIfThere(place);
    return text === undefined ? [] : claimsIn(text);
  } catch (error) {
    throw new Error(
      `create ResourceClaim cache: failed to get checkpoint ${place}: ${messageOf(error)}; please drain the node and remove the file`,
      { cause: error },
    );
  }
}

export async function writeClaims(directory: string, claims: readonly KnownClaim[]): Promise<void> {
  const place = path.join(directory, fileName);
  const Data = JSON.stringify({ ...typeMeta, ClaimInfoStateList: claims.map(entryOf) });
  await writeFile(`${place}.new`, JSON.stringify({ Data, Checksum: crc32(Data) }), { mode: 0o600 });
  await rename(`${place}.new`, place);
}

function claimsIn(text: string): readonly KnownClaim[] {
  const { Data: data, Checksum: checksum } = JSON.parse(text) as { Data?: unknown; Checksum?: unknown };
  if (typeof data !== 'string' || checksum !== crc32(data)) throw new Error('checkpoint is corrupted');
  const { ClaimInfoStateList: entries } = JSON.parse(data) as { ClaimInfoStateList: ClaimEntry[] | null };
  return (entries ?? []).map((entry) => ({
    namespace: entry.Namespace,
    name: entry.ClaimName,
    uid: entry.ClaimUID,
    drivers: Object.keys(entry.DriverState ?? {}),
    podUids: Object.keys(entry.PodUIDs ?? {}),
    devices: Object.entries(entry.DriverState ?? {}).flatMap(([driver, { Devices: devices }]) =>
      (devices ?? []).map((device) => ({
        driver,
        pool: device.PoolName,
        device: device.DeviceName,
        requests: device.RequestNames ?? [],
        cdiDevices: device.CDIDeviceIDs ?? [],
      })),
    ),
    // Unknown, and preparing a claim again changes nothing.
    isPrepared: false,
  }));
}

const entryOf = ({ namespace, name, uid, podUids, drivers, devices }: KnownClaim): ClaimEntry => ({
  ClaimUID: uid,
  ClaimName: name,
  Namespace: namespace,
  PodUIDs: Object.fromEntries(podUids.map((podUid) => [podUid, {}])),
  DriverState: Object.fromEntries(
    drivers.map((driver) => [
      driver,
      { Devices: devices.filter((device) => device.driver === driver).map(deviceEntryOf) },
    ]),
  ),
});

const deviceEntryOf = ({ pool, device, requests, cdiDevices }: PreparedDevice): DeviceEntry => ({
  PoolName: pool,
  DeviceName: device,
  ShareID: null,
  RequestNames: requests,
  CDIDeviceIDs: cdiDevices,
});
