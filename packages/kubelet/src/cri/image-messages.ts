/** Messages of `runtime.v1` about images, the runtime itself, and resource usage. */
import { field, repeated } from '@coxswain/protobuf';
import { ContainerMetadata } from './container-messages.ts';
import { PodSandboxConfig, PodSandboxMetadata } from './sandbox-messages.ts';
import { ImageSpec, Int64Value, StringPair, UInt64Value } from './shared-messages.ts';

export const Image = {
  id: field(1, 'string'),
  repoTags: repeated(2, 'string'),
  repoDigests: repeated(3, 'string'),
  size: field(4, 'int64'),
  uid: field(5, Int64Value),
  username: field(6, 'string'),
  spec: field(7, ImageSpec),
  pinned: field(8, 'bool'),
};
export const ListImagesRequest = { filter: field(1, { image: field(1, ImageSpec) }) };
export const ListImagesResponse = { images: repeated(1, Image) };
export const ImageStatusRequest = { image: field(1, ImageSpec), verbose: field(2, 'bool') };
export const ImageStatusResponse = { image: field(1, Image), info: repeated(2, StringPair) };

const AuthConfig = {
  username: field(1, 'string'),
  password: field(2, 'string'),
  auth: field(3, 'string'),
  serverAddress: field(4, 'string'),
  identityToken: field(5, 'string'),
  registryToken: field(6, 'string'),
};
export const PullImageRequest = {
  image: field(1, ImageSpec),
  auth: field(2, AuthConfig),
  sandboxConfig: field(3, PodSandboxConfig),
};
export const PullImageResponse = { imageRef: field(1, 'string') };
export const RemoveImageRequest = { image: field(1, ImageSpec) };

const FilesystemUsage = {
  timestamp: field(1, 'int64'),
  fsId: field(2, { mountpoint: field(1, 'string') }),
  usedBytes: field(3, UInt64Value),
  inodesUsed: field(4, UInt64Value),
};
export const ImageFsInfoResponse = {
  imageFilesystems: repeated(1, FilesystemUsage),
  containerFilesystems: repeated(2, FilesystemUsage),
};

export const VersionRequest = { version: field(1, 'string') };
export const VersionResponse = {
  version: field(1, 'string'),
  runtimeName: field(2, 'string'),
  runtimeVersion: field(3, 'string'),
  runtimeApiVersion: field(4, 'string'),
};

export const StatusRequest = { verbose: field(1, 'bool') };
export const RuntimeCondition = {
  type: field(1, 'string'),
  status: field(2, 'bool'),
  reason: field(3, 'string'),
  message: field(4, 'string'),
};
export const StatusResponse = {
  status: field(1, { conditions: repeated(1, RuntimeCondition) }),
  info: repeated(2, StringPair),
  runtimeHandlers: repeated(3, {
    name: field(1, 'string'),
    features: field(2, { recursiveReadOnlyMounts: field(1, 'bool'), userNamespaces: field(2, 'bool') }),
  }),
  features: field(4, {
    supplementalGroupsPolicy: field(1, 'bool'),
    userNamespacesHostNetwork: field(2, 'bool'),
  }),
};
export const UpdateRuntimeConfigRequest = {
  runtimeConfig: field(1, { networkConfig: field(1, { podCidr: field(1, 'string') }) }),
};
/** 0: systemd, 1: cgroupfs */
export const RuntimeConfigResponse = { linux: field(1, { cgroupDriver: field(1, 'enum') }) };

const CpuUsage = {
  timestamp: field(1, 'int64'),
  usageCoreNanoSeconds: field(2, UInt64Value),
  usageNanoCores: field(3, UInt64Value),
};
const MemoryUsage = {
  timestamp: field(1, 'int64'),
  workingSetBytes: field(2, UInt64Value),
  availableBytes: field(3, UInt64Value),
  usageBytes: field(4, UInt64Value),
  rssBytes: field(5, UInt64Value),
  pageFaults: field(6, UInt64Value),
  majorPageFaults: field(7, UInt64Value),
};
export const ContainerStats = {
  attributes: field(1, {
    id: field(1, 'string'),
    metadata: field(2, ContainerMetadata),
    labels: repeated(3, StringPair),
    annotations: repeated(4, StringPair),
  }),
  cpu: field(2, CpuUsage),
  memory: field(3, MemoryUsage),
  writableLayer: field(4, FilesystemUsage),
};
export const ListContainerStatsResponse = { stats: repeated(1, ContainerStats) };

const InterfaceUsage = {
  name: field(1, 'string'),
  rxBytes: field(2, UInt64Value),
  rxErrors: field(3, UInt64Value),
  txBytes: field(4, UInt64Value),
  txErrors: field(5, UInt64Value),
};
export const PodSandboxStats = {
  attributes: field(1, {
    id: field(1, 'string'),
    metadata: field(2, PodSandboxMetadata),
    labels: repeated(3, StringPair),
    annotations: repeated(4, StringPair),
  }),
  linux: field(2, {
    cpu: field(1, CpuUsage),
    memory: field(2, MemoryUsage),
    network: field(3, {
      timestamp: field(1, 'int64'),
      defaultInterface: field(2, InterfaceUsage),
      interfaces: repeated(3, InterfaceUsage),
    }),
    process: field(4, { timestamp: field(1, 'int64'), processCount: field(2, UInt64Value) }),
    containers: repeated(5, ContainerStats),
  }),
};
export const ListPodSandboxStatsResponse = { stats: repeated(1, PodSandboxStats) };
