/** Which health drivers have reported of their devices, and whether it is still valid. */
import type { Clock } from '@coxswain/apimachinery';
import type { DeviceHealth, DeviceName, KnownHealth, ReportedDevice } from './device-health.ts';
import { readHealths, writeHealths } from './health-checkpoint.ts';

export interface DeviceHealthsOptions {
  readonly clock: Clock;
  /** `/var/lib/kubelet` */
  readonly directory: string;
  readonly onError: (error: unknown) => void;
}

const unknown: DeviceHealth = { health: 'Unknown', message: '' };

export class DeviceHealths {
  readonly #options: DeviceHealthsOptions;
  /** By driver, then by pool and name. */
  readonly #reports = new Map<string, ReadonlyMap<string, KnownHealth>>();
  #written: Promise<void> = Promise.resolve();

  constructor(options: DeviceHealthsOptions) {
    this.#options = options;
    try {
      for (const [driver, known] of readHealths(options.directory)) this.#reports.set(driver, known);
    } catch (error) {
      // Without the file, health is unknown until drivers report again.
      options.onError(error);
    }
  }

  /** Takes all devices of a driver; returns those whose health is new. */
  report(driver: string, devices: readonly ReportedDevice[]): readonly DeviceName[] {
    const before = [...(this.#reports.get(driver) ?? [])];
    const [expired, valid] = [true, false].map((isOld) =>
      before.filter(([, known]) => this.#isOld(known) === isOld),
    ) as [typeof before, typeof before];
    // Until its report expires, a device that the driver has left out keeps its health.
    const now = new Map(valid);
    const reportedMs = this.#options.clock.now();
    for (const device of devices) now.set(keyOf(device), { ...device, reportedMs });
    this.#reports.set(driver, now);
    const known = new Map(valid);
    const changed = [
      ...devices.filter((device) => !isSame(known.get(keyOf(device)), device)),
      ...expired.filter(([key, { health }]) => !now.has(key) && health !== 'Unknown').map(([, each]) => each),
    ];
    if (changed.length > 0) this.#write();
    return changed;
  }

  /** Called when a driver no longer reports. */
  forget(driver: string): void {
    if (this.#reports.delete(driver)) this.#write();
  }

  of(driver: string, device: DeviceName): DeviceHealth {
    const known = this.#reports.get(driver)?.get(keyOf(device));
    return known === undefined || this.#isOld(known) ? unknown : known;
  }

  /** Resolves when everything known has been written. */
  written(): Promise<void> {
    return this.#written;
  }

  #write(): void {
    const { directory, onError } = this.#options;
    this.#written = this.#written.then(() => writeHealths(directory, this.#reports)).catch(onError);
  }

  #isOld({ reportedMs, validMs }: KnownHealth): boolean {
    return this.#options.clock.now() - reportedMs > validMs;
  }
}

const isSame = (known: KnownHealth | undefined, { health, message, validMs }: ReportedDevice): boolean =>
  known?.health === health && known.message === message && known.validMs === validMs;

const keyOf = ({ pool, device }: DeviceName): string => `${pool}/${device}`;
