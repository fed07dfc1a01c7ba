/** The health of devices as their drivers report it (KEP-4680). */
import type { Clock } from '@coxswain/apimachinery';

export interface DeviceHealth {
  readonly health: 'Healthy' | 'Unhealthy' | 'Unknown';
  /** Empty if the driver gives no details. */
  readonly message: string;
}

export interface ReportedDevice extends DeviceHealth {
  readonly pool: string;
  readonly device: string;
  /** How long the report is valid. */
  readonly validMs: number;
}

const unknown: DeviceHealth = { health: 'Unknown', message: '' };

export class DeviceHealths {
  readonly #clock: Clock;
  /** By driver, then by pool and name. */
  readonly #reports = new Map<string, Map<string, ReportedDevice & { readonly reportedMs: number }>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes all devices of a driver; returns those whose health is new. */
  report(driver: string, devices: readonly ReportedDevice[]): readonly ReportedDevice[] {
    const before = this.#reports.get(driver);
    const reportedMs = this.#clock.monotonic();
    const changed = devices.filter((device) => {
      const known = before?.get(keyOf(device));
      return known?.health !== device.health || known.message !== device.message;
    });
    // Until its report expires, a device that the driver has left out keeps its health.
    const now = new Map(before);
    for (const device of devices) now.set(keyOf(device), { ...device, reportedMs });
    for (const [key, known] of now) if (this.#isOld(known)) now.delete(key);
    this.#reports.set(driver, now);
    return changed;
  }

  /** Called when a driver no longer reports. */
  forget(driver: string): void {
    this.#reports.delete(driver);
  }

  of(driver: string, device: Pick<ReportedDevice, 'pool' | 'device'>): DeviceHealth {
    const known = this.#reports.get(driver)?.get(keyOf(device));
    return known === undefined || this.#isOld(known) ? unknown : known;
  }

  #isOld({ reportedMs, validMs }: { readonly reportedMs: number; readonly validMs: number }): boolean {
    return this.#clock.monotonic() - reportedMs > validMs;
  }
}

const keyOf = ({ pool, device }: Pick<ReportedDevice, 'pool' | 'device'>): string => `${pool}/${device}`;
