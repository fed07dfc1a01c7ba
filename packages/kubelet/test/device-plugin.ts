/** A device plugin whose devices are names, which it passes to containers as an environment variable. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { aborted, systemClock } from '@coxswain/apimachinery';
import { grpcClient } from '@coxswain/grpc/client/client.ts';
import { serviceMethods } from '@coxswain/grpc/method.ts';
import { answers, unary } from '@coxswain/grpc/server/method.ts';
import { serveUnixGrpc } from '@coxswain/grpc/server/serve-unix.ts';
import type { Decoded, Input } from '@coxswain/protobuf';
import {
  ContainerAllocateResponse,
  DevicePluginOptions,
  RegisterRequest,
  devicePluginMethods,
  devicePluginVersion,
  listAndWatch,
} from '../src/plugins/devices/device-messages.ts';

export interface DevicePluginOptionsOfTest {
  /** `/var/lib/kubelet/device-plugins` */
  readonly directory: string;
  readonly resource: string;
  /** Device → health */
  readonly devices: Readonly<Record<string, string>>;
  readonly options?: Input<typeof DevicePluginOptions>;
  /** The response for the devices of one container. */
  readonly answer?: (ids: readonly string[]) => Input<typeof ContainerAllocateResponse>;
  readonly prefer?: (available: readonly string[]) => readonly string[];
}

export interface DevicePlugin {
  /** `Allocate a,b` */
  readonly calls: string[];
  setDevices(devices: Readonly<Record<string, string>>): void;
  /** @throws GrpcError if the kubelet rejects it */
  register(): Promise<void>;
  stop(): Promise<void>;
}

const registration = serviceMethods('v1beta1.Registration');

export async function startDevicePlugin(of: DevicePluginOptionsOfTest): Promise<DevicePlugin> {
  const { directory, resource, options = {} } = of;
  const calls: string[] = [];
  const endpoint = `${resource.replaceAll(/[^a-z0-9]/g, '-')}.sock`;
  const socketPath = path.join(directory, endpoint);
  let devices = of.devices;
  let changed = Promise.withResolvers<void>();
  const answer = of.answer ?? ((ids) => ({ envs: [{ key: 'DEVICES', value: ids.join(',') }] }));
  const { getDevicePluginOptions, getPreferredAllocation, allocate, preStartContainer } = devicePluginMethods;
  async function* list(_: unknown, signal: AbortSignal) {
    while (!signal.aborted) {
      yield { devices: Object.entries(devices).map(([id, health]) => ({ id, health })) };
      await Promise.race([changed.promise, aborted(signal)]);
    }
  }
  const methods = {
    [getDevicePluginOptions.path]: unary({}, DevicePluginOptions, () => options),
    [listAndWatch.path]: answers({}, listAndWatch.response, list),
    [allocate.path]: unary(allocate.request, allocate.response, ({ containerRequests }) => {
      calls.push(...containerRequests.map(({ devicesIds }) => `Allocate ${devicesIds.join()}`));
      return { containerResponses: containerRequests.map(({ devicesIds }) => answer(devicesIds)) };
    }),
    [preStartContainer.path]: unary(preStartContainer.request, {}, ({ devicesIds }) => {
      calls.push(`PreStartContainer ${devicesIds.join()}`);
      return {};
    }),
    [getPreferredAllocation.path]: unary(
      getPreferredAllocation.request,
      getPreferredAllocation.response,
      ({ containerRequests }) => ({
        containerResponses: containerRequests.map(({ availableDeviceIds }) => ({
          deviceIds: of.prefer?.(availableDeviceIds) ?? [],
        })),
      }),
    ),
  };
  rmSync(socketPath, { force: true });
  let server = await serveUnixGrpc(socketPath, methods);
  return {
    calls,
    setDevices(next) {
      devices = next;
      changed.resolve();
      changed = Promise.withResolvers();
    },
    async register() {
      // The kubelet removes all sockets in its directory when it starts; plugins then recreate their own.
      await server.close();
      rmSync(socketPath, { force: true });
      server = await serveUnixGrpc(socketPath, methods);
      const kubelet = grpcClient(
        { register: registration('Register', RegisterRequest, {}) },
        {
          endpoints: [`unix://${path.join(directory, 'kubelet.sock')}`],
          service: 'kubelet',
          clock: systemClock,
          timeoutMs: 5_000,
        },
      );
      const request: Input<typeof RegisterRequest> = {
        version: devicePluginVersion,
        endpoint,
        resourceName: resource,
        options,
      };
      await kubelet.register(request).finally(() => kubelet.close());
    },
    stop: () => server.close(),
  };
}

export type Allocation = Decoded<typeof ContainerAllocateResponse>;
