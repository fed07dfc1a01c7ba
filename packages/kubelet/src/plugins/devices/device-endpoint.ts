/** The connection to a device plugin: its calls, and the stream of its devices. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Clock } from '@coxswain/apimachinery';
import { grpcClient, type GrpcClient } from '@coxswain/grpc/client/client.ts';
import { decode, encode, type Decoded } from '@coxswain/protobuf';
import {
  devicePluginMethods,
  listAndWatch,
  type Device,
  type DevicePluginOptions,
} from './device-messages.ts';

export type PluginDevice = Decoded<typeof Device>;

export interface DeviceEndpoint {
  readonly client: GrpcClient<typeof devicePluginMethods>;
  readonly options: Decoded<typeof DevicePluginOptions>;
  close(): void;
}

export interface DeviceEndpointOptions {
  readonly socketPath: string;
  readonly resource: string;
  readonly clock: Clock;
  readonly listed: (devices: readonly PluginDevice[]) => void;
  /** Called when the plugin has gone, or the connection was closed. */
  readonly ended: () => void;
}

/** A generous limit, since a plugin may have to initialize a device first. */
const callMsMax = 60_000;
const connectMsMax = 10_000;

/** @throws GrpcError if the plugin doesn't answer */
export async function connectDevicePlugin(options: DeviceEndpointOptions): Promise<DeviceEndpoint> {
  const { socketPath, resource, clock, ended } = options;
  const service = `device plugin ${resource}`;
  const client = grpcClient(devicePluginMethods, {
    endpoints: [`unix://${socketPath}`],
    service,
    clock,
    timeoutMs: callMsMax,
  });
  try {
    const found = await client.getDevicePluginOptions({}, { timeoutMs: connectMsMax });
    const stream = await client.channel.stream(listAndWatch.path);
    stream.send(encode(listAndWatch.request, {}));
    stream.end();
    detach(
      followDevices(stream, options).finally(() => {
        client.close();
        ended();
      }),
    );
    return { client, options: found, close: () => stream.cancel() };
  } catch (error) {
    client.close();
    throw error;
  }
}

async function followDevices(
  stream: AsyncIterable<Uint8Array>,
  { listed }: DeviceEndpointOptions,
): Promise<void> {
  try {
    for await (const message of stream) listed(decode(listAndWatch.response, message).devices);
  } catch {
    // Whatever ended the stream, the devices can no longer be assigned.
  }
}
