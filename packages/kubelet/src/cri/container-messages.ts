/** Messages of `runtime.v1` about containers. Numbers are those of the CRI v1. */
import { field, repeated, type Input } from '@coxswain/protobuf';
import {
  IdMapping,
  LinuxContainerResources,
  NamespaceOption,
  PodSandboxConfig,
  PodSandboxStatus,
  SecurityProfile,
  SelinuxOption,
} from './sandbox-messages.ts';
import { ImageSpec, Int64Value, StringPair } from './shared-messages.ts';

export const ContainerState = { created: 0, running: 1, exited: 2, unknown: 3 } as const;
export const MountPropagation = { private: 0, hostToContainer: 1, bidirectional: 2 } as const;

export const Mount = {
  containerPath: field(1, 'string'),
  hostPath: field(2, 'string'),
  readonly: field(3, 'bool'),
  selinuxRelabel: field(4, 'bool'),
  propagation: field(5, 'enum'),
  uidMappings: repeated(6, IdMapping),
  gidMappings: repeated(7, IdMapping),
  recursiveReadOnly: field(8, 'bool'),
  image: field(9, ImageSpec),
  imageSubPath: field(10, 'string'),
};

export const Device = {
  containerPath: field(1, 'string'),
  hostPath: field(2, 'string'),
  permissions: field(3, 'string'),
};

export type ContainerMount = Input<typeof Mount>;
export type ContainerDevice = Input<typeof Device>;

export const Capability = {
  addCapabilities: repeated(1, 'string'),
  dropCapabilities: repeated(2, 'string'),
  addAmbientCapabilities: repeated(3, 'string'),
};

export const LinuxContainerSecurityContext = {
  capabilities: field(1, Capability),
  privileged: field(2, 'bool'),
  namespaceOptions: field(3, NamespaceOption),
  selinuxOptions: field(4, SelinuxOption),
  runAsUser: field(5, Int64Value),
  runAsUsername: field(6, 'string'),
  readonlyRootfs: field(7, 'bool'),
  supplementalGroups: repeated(8, 'int64'),
  apparmorProfile: field(9, 'string'),
  noNewPrivs: field(11, 'bool'),
  runAsGroup: field(12, Int64Value),
  maskedPaths: repeated(13, 'string'),
  readonlyPaths: repeated(14, 'string'),
  seccomp: field(15, SecurityProfile),
  apparmor: field(16, SecurityProfile),
  supplementalGroupsPolicy: field(17, 'enum'),
};

export const ContainerMetadata = { name: field(1, 'string'), attempt: field(2, 'uint32') };

export const ContainerConfig = {
  metadata: field(1, ContainerMetadata),
  image: field(2, ImageSpec),
  command: repeated(3, 'string'),
  args: repeated(4, 'string'),
  workingDir: field(5, 'string'),
  envs: repeated(6, { key: field(1, 'string'), value: field(2, 'string') }),
  mounts: repeated(7, Mount),
  devices: repeated(8, Device),
  labels: repeated(9, StringPair),
  annotations: repeated(10, StringPair),
  logPath: field(11, 'string'),
  stdin: field(12, 'bool'),
  stdinOnce: field(13, 'bool'),
  tty: field(14, 'bool'),
  linux: field(15, {
    resources: field(1, LinuxContainerResources),
    securityContext: field(2, LinuxContainerSecurityContext),
  }),
  cdiDevices: repeated(17, { name: field(1, 'string') }),
  stopSignal: field(18, 'enum'),
};

export const CreateContainerRequest = {
  podSandboxId: field(1, 'string'),
  config: field(2, ContainerConfig),
  sandboxConfig: field(3, PodSandboxConfig),
};
export const ContainerId = { containerId: field(1, 'string') };
export const StopContainerRequest = { containerId: field(1, 'string'), timeout: field(2, 'int64') };

export const ListContainersRequest = {
  filter: field(1, {
    id: field(1, 'string'),
    state: field(2, { state: field(1, 'enum') }),
    podSandboxId: field(3, 'string'),
    labelSelector: repeated(4, StringPair),
  }),
};

export const ListedContainer = {
  id: field(1, 'string'),
  podSandboxId: field(2, 'string'),
  metadata: field(3, ContainerMetadata),
  image: field(4, ImageSpec),
  imageRef: field(5, 'string'),
  state: field(6, 'enum'),
  createdAt: field(7, 'int64'),
  labels: repeated(8, StringPair),
  annotations: repeated(9, StringPair),
  imageId: field(10, 'string'),
};
export const ListContainersResponse = { containers: repeated(1, ListedContainer) };

export const ContainerStatusRequest = { containerId: field(1, 'string'), verbose: field(2, 'bool') };

/** Times are in nanoseconds since 1970; zero if not reached yet. */
export const ContainerStatus = {
  id: field(1, 'string'),
  metadata: field(2, ContainerMetadata),
  state: field(3, 'enum'),
  createdAt: field(4, 'int64'),
  startedAt: field(5, 'int64'),
  finishedAt: field(6, 'int64'),
  exitCode: field(7, 'int64'),
  image: field(8, ImageSpec),
  imageRef: field(9, 'string'),
  reason: field(10, 'string'),
  message: field(11, 'string'),
  labels: repeated(12, StringPair),
  annotations: repeated(13, StringPair),
  mounts: repeated(14, Mount),
  logPath: field(15, 'string'),
  resources: field(16, { linux: field(1, LinuxContainerResources) }),
  imageId: field(17, 'string'),
  user: field(18, {
    linux: field(1, {
      uid: field(1, 'int64'),
      gid: field(2, 'int64'),
      supplementalGroups: repeated(3, 'int64'),
    }),
  }),
  stopSignal: field(19, 'enum'),
};
export const ContainerStatusResponse = { status: field(1, ContainerStatus), info: repeated(2, StringPair) };

export const UpdateContainerResourcesRequest = {
  containerId: field(1, 'string'),
  linux: field(2, LinuxContainerResources),
  annotations: repeated(4, StringPair),
};

export const ExecSyncRequest = {
  containerId: field(1, 'string'),
  cmd: repeated(2, 'string'),
  /** Seconds; 0 for no timeout. */
  timeout: field(3, 'int64'),
};
export const ExecSyncResponse = {
  stdout: field(1, 'bytes'),
  stderr: field(2, 'bytes'),
  exitCode: field(3, 'int64'),
};

export const ExecRequest = {
  containerId: field(1, 'string'),
  cmd: repeated(2, 'string'),
  tty: field(3, 'bool'),
  stdin: field(4, 'bool'),
  stdout: field(5, 'bool'),
  stderr: field(6, 'bool'),
};
export const AttachRequest = {
  containerId: field(1, 'string'),
  stdin: field(2, 'bool'),
  tty: field(3, 'bool'),
  stdout: field(4, 'bool'),
  stderr: field(5, 'bool'),
};
export const StreamingUrl = { url: field(1, 'string') };

export const containerEventTypes = { created: 0, started: 1, stopped: 2, deleted: 3 } as const;
export const ContainerEvent = {
  containerId: field(1, 'string'),
  type: field(2, 'enum'),
  createdAt: field(3, 'int64'),
  podSandboxStatus: field(4, PodSandboxStatus),
  containersStatuses: repeated(5, ContainerStatus),
};
