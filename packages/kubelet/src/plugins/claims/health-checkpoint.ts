/** Records the health of devices in a file in the upstream format, so that a restarted kubelet does not lose it. */
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readIfThere } from '../../read-if-there.ts';
import { validMsDefault, type DeviceHealth, type KnownHealth } from './device-health.ts';

/** By driver, then by pool and device. */
type HealthFile = Readonly<
  Record<string, { readonly Devices: Readonly<Record<string, HealthEntry>> | null }>
>;

interface HealthEntry {
  readonly PoolName: string;
  readonly DeviceName: string;
  readonly Health: DeviceHealth['health'];
  readonly LastUpdated: string;
  /** Nanoseconds; the default if 0. */
  readonly HealthCheckTimeout: number;
  readonly Message: string;
}

export type KnownHealths = ReadonlyMap<string, ReadonlyMap<string, KnownHealth>>;

const fileName = 'dra_health_state';
const nanosecondsPerMs = 1_000_000;

/** @throws Error if the file can't be read or is damaged */
export function readHealths(directory: string): KnownHealths {
  const drivers = JSON.parse(readIfThere(path.join(directory, fileName)) ?? '{}') as HealthFile;
  return new Map(
    Object.entries(drivers).map(([driver, { Devices: devices }]) => [
      driver,
      new Map(Object.entries(devices ?? {}).map(([key, entry]) => [key, healthOf(entry)])),
    ]),
  );
}

export async function writeHealths(directory: string, healths: KnownHealths): Promise<void> {
  const place = path.join(directory, fileName);
  const drivers: HealthFile = Object.fromEntries(
    [...healths].map(([driver, devices]) => [
      driver,
      { Devices: Object.fromEntries([...devices].map(([key, known]) => [key, entryOf(known)])) },
    ]),
  );
  await writeFile(`${place}.new`, JSON.stringify(drivers), { mode: 0o600 });
  await rename(`${place}.new`, place);
}

const healthOf = (entry: HealthEntry): KnownHealth => ({
  pool: entry.PoolName,
  device: entry.DeviceName,
  health: entry.Health,
  message: entry.Message,
  reportedMs: Date.parse(entry.LastUpdated),
  validMs: entry.HealthCheckTimeout / nanosecondsPerMs || validMsDefault,
});

const entryOf = ({ pool, device, health, message, reportedMs, validMs }: KnownHealth): HealthEntry => ({
  PoolName: pool,
  DeviceName: device,
  Health: health,
  LastUpdated: new Date(reportedMs).toISOString(),
  HealthCheckTimeout: validMs * nanosecondsPerMs,
  Message: message,
});
