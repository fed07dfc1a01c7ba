/** Messages of `runtime.v1` about pod sandboxes, as tables for the protobuf codec. Numbers are those of the CRI v1. */
import { field, repeated, type Input } from '@coxswain/protobuf';
import { Int64Value, StringPair } from './shared-messages.ts';

export const Protocol = { TCP: 0, UDP: 1, SCTP: 2 } as const;
export const NamespaceMode = { pod: 0, container: 1, node: 2, target: 3 } as const;
export const ProfileType = { runtimeDefault: 0, unconfined: 1, localhost: 2 } as const;
export const SandboxState = { ready: 0, notReady: 1 } as const;
export const SupplementalGroupsPolicy = { Merge: 0, Strict: 1 } as const;

export const DnsConfig = {
  servers: repeated(1, 'string'),
  searches: repeated(2, 'string'),
  options: repeated(3, 'string'),
};

const PortMapping = {
  protocol: field(1, 'enum'),
  containerPort: field(2, 'int64'),
  hostPort: field(3, 'int64'),
  hostIp: field(4, 'string'),
};

export const IdMapping = {
  hostId: field(1, 'uint32'),
  containerId: field(2, 'uint32'),
  length: field(3, 'uint32'),
};

export const NamespaceOption = {
  network: field(1, 'enum'),
  pid: field(2, 'enum'),
  ipc: field(3, 'enum'),
  targetId: field(4, 'string'),
  usernsOptions: field(5, {
    mode: field(1, 'enum'),
    uids: repeated(2, IdMapping),
    gids: repeated(3, IdMapping),
  }),
};

export const SelinuxOption = {
  user: field(1, 'string'),
  role: field(2, 'string'),
  type: field(3, 'string'),
  level: field(4, 'string'),
};

export const SecurityProfile = { profileType: field(1, 'enum'), localhostRef: field(2, 'string') };

const HugepageLimit = { pageSize: field(1, 'string'), limit: field(2, 'int64') };

export const LinuxContainerResources = {
  cpuPeriod: field(1, 'int64'),
  cpuQuota: field(2, 'int64'),
  cpuShares: field(3, 'int64'),
  memoryLimitInBytes: field(4, 'int64'),
  oomScoreAdj: field(5, 'int64'),
  cpusetCpus: field(6, 'string'),
  cpusetMems: field(7, 'string'),
  hugepageLimits: repeated(8, HugepageLimit),
  unified: repeated(9, StringPair),
  memorySwapLimitInBytes: field(10, 'int64'),
};

export const LinuxSandboxSecurityContext = {
  namespaceOptions: field(1, NamespaceOption),
  selinuxOptions: field(2, SelinuxOption),
  runAsUser: field(3, Int64Value),
  readonlyRootfs: field(4, 'bool'),
  supplementalGroups: repeated(5, 'int64'),
  privileged: field(6, 'bool'),
  runAsGroup: field(8, Int64Value),
  seccomp: field(9, SecurityProfile),
  apparmor: field(10, SecurityProfile),
  supplementalGroupsPolicy: field(11, 'enum'),
};

const LinuxPodSandboxConfig = {
  cgroupParent: field(1, 'string'),
  securityContext: field(2, LinuxSandboxSecurityContext),
  sysctls: repeated(3, StringPair),
  overhead: field(4, LinuxContainerResources),
  resources: field(5, LinuxContainerResources),
};

export const PodSandboxMetadata = {
  name: field(1, 'string'),
  uid: field(2, 'string'),
  namespace: field(3, 'string'),
  attempt: field(4, 'uint32'),
};

export const PodSandboxConfig = {
  metadata: field(1, PodSandboxMetadata),
  hostname: field(2, 'string'),
  logDirectory: field(3, 'string'),
  dnsConfig: field(4, DnsConfig),
  portMappings: repeated(5, PortMapping),
  labels: repeated(6, StringPair),
  annotations: repeated(7, StringPair),
  linux: field(8, LinuxPodSandboxConfig),
};

export type SandboxConfig = Input<typeof PodSandboxConfig>;

export const RunPodSandboxRequest = {
  config: field(1, PodSandboxConfig),
  runtimeHandler: field(2, 'string'),
};
export const PodSandboxId = { podSandboxId: field(1, 'string') };
export const PodSandboxStatusRequest = { podSandboxId: field(1, 'string'), verbose: field(2, 'bool') };

export const PodSandboxStatus = {
  id: field(1, 'string'),
  metadata: field(2, PodSandboxMetadata),
  state: field(3, 'enum'),
  createdAt: field(4, 'int64'),
  network: field(5, { ip: field(1, 'string'), additionalIps: repeated(2, { ip: field(1, 'string') }) }),
  linux: field(6, { namespaces: field(1, { options: field(2, NamespaceOption) }) }),
  labels: repeated(7, StringPair),
  annotations: repeated(8, StringPair),
  runtimeHandler: field(9, 'string'),
};

export const PodSandboxStatusResponse = { status: field(1, PodSandboxStatus), info: repeated(2, StringPair) };

export const ListPodSandboxRequest = {
  filter: field(1, {
    id: field(1, 'string'),
    state: field(2, { state: field(1, 'enum') }),
    labelSelector: repeated(3, StringPair),
  }),
};

export const PodSandbox = {
  id: field(1, 'string'),
  metadata: field(2, PodSandboxMetadata),
  state: field(3, 'enum'),
  createdAt: field(4, 'int64'),
  labels: repeated(5, StringPair),
  annotations: repeated(6, StringPair),
  runtimeHandler: field(7, 'string'),
};

export const ListPodSandboxResponse = { items: repeated(1, PodSandbox) };
export const PortForwardRequest = { podSandboxId: field(1, 'string'), port: repeated(2, 'int64') };
export const UpdatePodSandboxResourcesRequest = {
  podSandboxId: field(1, 'string'),
  overhead: field(2, LinuxContainerResources),
  resources: field(3, LinuxContainerResources),
};
