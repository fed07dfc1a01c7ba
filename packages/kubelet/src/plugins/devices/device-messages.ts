/** The messages between the kubelet and device plugins: v1beta1. */
import { serviceMethods } from '@coxswain/grpc/method.ts';
import { field, repeated } from '@coxswain/protobuf';
import { Empty, StringPair } from '../../cri/shared-messages.ts';

export const devicePluginVersion = 'v1beta1';
export const registerPath = '/v1beta1.Registration/Register';

export const DevicePluginOptions = {
  preStartRequired: field(1, 'bool'),
  getPreferredAllocationAvailable: field(2, 'bool'),
};

export const RegisterRequest = {
  version: field(1, 'string'),
  /** The name of a socket in the kubelet's device plugin directory. */
  endpoint: field(2, 'string'),
  resourceName: field(3, 'string'),
  options: field(4, DevicePluginOptions),
};

export const Device = {
  id: field(1, 'string'),
  health: field(2, 'string'),
  topology: field(3, { nodes: repeated(1, { id: field(1, 'int64') }) }),
};

export const healthy = 'Healthy';

const ListAndWatchResponse = { devices: repeated(1, Device) };

export const ContainerAllocateResponse = {
  envs: repeated(1, StringPair),
  mounts: repeated(2, {
    containerPath: field(1, 'string'),
    hostPath: field(2, 'string'),
    readOnly: field(3, 'bool'),
  }),
  devices: repeated(3, {
    containerPath: field(1, 'string'),
    hostPath: field(2, 'string'),
    permissions: field(3, 'string'),
  }),
  annotations: repeated(4, StringPair),
  cdiDevices: repeated(5, { name: field(1, 'string') }),
};

const AllocateRequest = { containerRequests: repeated(1, { devicesIds: repeated(1, 'string') }) };
const AllocateResponse = { containerResponses: repeated(1, ContainerAllocateResponse) };
const PreStartContainerRequest = { devicesIds: repeated(1, 'string') };
const PreferredAllocationRequest = {
  containerRequests: repeated(1, {
    availableDeviceIds: repeated(1, 'string'),
    mustIncludeDeviceIds: repeated(2, 'string'),
    allocationSize: field(3, 'int64'),
  }),
};
const PreferredAllocationResponse = {
  containerResponses: repeated(1, { deviceIds: repeated(1, 'string') }),
};

const plugin = serviceMethods('v1beta1.DevicePlugin');

export const devicePluginMethods = {
  getDevicePluginOptions: plugin('GetDevicePluginOptions', Empty, DevicePluginOptions),
  getPreferredAllocation: plugin(
    'GetPreferredAllocation',
    PreferredAllocationRequest,
    PreferredAllocationResponse,
  ),
  allocate: plugin('Allocate', AllocateRequest, AllocateResponse),
  preStartContainer: plugin('PreStartContainer', PreStartContainerRequest, Empty),
} as const;

/** The response is a stream of messages. */
export const listAndWatch = plugin('ListAndWatch', Empty, ListAndWatchResponse);
