/** The health of a device as its driver reports it (KEP-4680). */
export interface DeviceHealth {
  readonly health: 'Healthy' | 'Unhealthy' | 'Unknown';
  /** Empty if the driver gives no details. */
  readonly message: string;
}

export interface DeviceName {
  readonly pool: string;
  readonly device: string;
}

export interface ReportedDevice extends DeviceHealth, DeviceName {
  /** How long the report is valid. */
  readonly validMs: number;
}

export interface KnownHealth extends ReportedDevice {
  /** Wall-clock time, since it is compared after a restart. */
  readonly reportedMs: number;
}

/** The validity of a report that tells none. */
export const validMsDefault = 30_000;
