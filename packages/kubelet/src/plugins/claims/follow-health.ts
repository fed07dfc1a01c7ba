/** The stream in which a driver of dynamic resources reports the health of its devices. */
import type { Clock } from '@coxswain/apimachinery';
import { answersOf } from '@coxswain/grpc/client/client.ts';
import type { GrpcChannel } from '@coxswain/grpc/client/channel.ts';
import type { Decoded } from '@coxswain/protobuf';
import { watchHealth } from './claim-driver-messages.ts';
import { validMsDefault, type ReportedDevice } from './device-health.ts';

export interface HealthListener {
  reported(driver: string, devices: readonly ReportedDevice[]): void;
  /** Called when a driver no longer reports. */
  ended(driver: string): void;
}

/** Drivers need not support the stream, or may only later. */
const retryMs = 5_000;
const messageLengthMax = 1024;

export async function followHealth(
  driver: string,
  channel: GrpcChannel,
  listener: HealthListener,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const { devices } of answersOf(channel, watchHealth, {}, signal))
        listener.reported(driver, devices.map(reportedDevice));
    } catch {
      // Whatever ended the stream, health is unknown until the next one.
    }
    listener.ended(driver);
    await clock.sleep(retryMs, signal).catch(() => undefined);
  }
}

const healths = ['Unknown', 'Healthy', 'Unhealthy'] as const;

type Report = Decoded<typeof watchHealth.response>['devices'][number];

function reportedDevice({ device, health, healthCheckTimeoutSeconds, message }: Report): ReportedDevice {
  const seconds = Number(healthCheckTimeoutSeconds);
  return {
    pool: device?.poolName ?? '',
    device: device?.deviceName ?? '',
    health: healths[health] ?? 'Unknown',
    message: message.length > messageLengthMax ? `${message.slice(0, messageLengthMax - 3)}...` : message,
    validMs: seconds > 0 ? seconds * 1000 : validMsDefault,
  };
}
