/** Failures of CSI volumes, with upstream's messages. */
import { grpcFailureText } from '@coxswain/grpc/status.ts';
import { VolumeFailure } from '../../volumes/volume-failure.ts';
import type { DriverSpec } from './csi-api.ts';
import type { RegisteredDriver, RegisteredDrivers } from './registered-drivers.ts';

export const failure = (operation: string, volume: string, error: unknown): VolumeFailure =>
  error instanceof VolumeFailure
    ? error
    : new VolumeFailure(operation, volume, grpcFailureText(error), error);

/** @throws Error if no such driver is registered */
export function registered(drivers: RegisteredDrivers, name: string, where: string): RegisteredDriver {
  try {
    return drivers.get(name);
  } catch (error) {
    throw new Error(`kubernetes.io/csi: ${where}: ${grpcFailureText(error)}`, { cause: error });
  }
}

/** @throws Error if the driver doesn't support this mode; without a CSIDriver object, only `Persistent` is supported */
export function refuseMode(
  driver: string,
  spec: DriverSpec | undefined,
  mode: 'Persistent' | 'Ephemeral',
): void {
  if (spec === undefined ? mode === 'Persistent' : spec.volumeLifecycleModes?.includes(mode)) return;
  const why =
    spec === undefined
      ? 'no CSIDriver object'
      : `only supports ${JSON.stringify(spec.volumeLifecycleModes ?? []).replaceAll(',', ' ')}`;
  throw new Error(
    `kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: volume mode "${mode}" not supported by driver ${driver} (${why})`,
  );
}
