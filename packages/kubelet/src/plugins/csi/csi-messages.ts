/** The messages between the kubelet and a CSI driver: csi.v1, services Identity and Node. */
import { serviceMethods } from '@coxswain/grpc/method.ts';
import { field, repeated } from '@coxswain/protobuf';
import { Empty, StringPair } from '../../cri/shared-messages.ts';

export const AccessMode = {
  unknown: 0,
  singleNodeWriter: 1,
  singleNodeReaderOnly: 2,
  multiNodeReaderOnly: 3,
  multiNodeSingleWriter: 4,
  multiNodeMultiWriter: 5,
  singleNodeSingleWriter: 6,
  singleNodeMultiWriter: 7,
} as const;

export const NodeCapability = {
  stageUnstage: 1,
  volumeStats: 2,
  expand: 3,
  volumeCondition: 4,
  singleNodeMultiWriter: 5,
  volumeMountGroup: 6,
} as const;

export const UsageUnit = { unknown: 0, bytes: 1, inodes: 2 } as const;

export const VolumeCapability = {
  block: field(1, Empty),
  mount: field(2, {
    fsType: field(1, 'string'),
    mountFlags: repeated(2, 'string'),
    volumeMountGroup: field(3, 'string'),
  }),
  accessMode: field(3, { mode: field(1, 'enum') }),
};

const NodeStageVolumeRequest = {
  volumeId: field(1, 'string'),
  publishContext: repeated(2, StringPair),
  stagingTargetPath: field(3, 'string'),
  volumeCapability: field(4, VolumeCapability),
  secrets: repeated(5, StringPair),
  volumeContext: repeated(6, StringPair),
};
const NodeUnstageVolumeRequest = {
  volumeId: field(1, 'string'),
  stagingTargetPath: field(2, 'string'),
};

const NodePublishVolumeRequest = {
  volumeId: field(1, 'string'),
  publishContext: repeated(2, StringPair),
  stagingTargetPath: field(3, 'string'),
  targetPath: field(4, 'string'),
  volumeCapability: field(5, VolumeCapability),
  readonly: field(6, 'bool'),
  secrets: repeated(7, StringPair),
  volumeContext: repeated(8, StringPair),
};
const NodeUnpublishVolumeRequest = { volumeId: field(1, 'string'), targetPath: field(2, 'string') };

const NodeGetVolumeStatsRequest = {
  volumeId: field(1, 'string'),
  volumePath: field(2, 'string'),
  stagingTargetPath: field(3, 'string'),
};
const NodeGetVolumeStatsResponse = {
  usage: repeated(1, {
    available: field(1, 'int64'),
    total: field(2, 'int64'),
    used: field(3, 'int64'),
    unit: field(4, 'enum'),
  }),
  volumeCondition: field(2, { abnormal: field(1, 'bool'), message: field(2, 'string') }),
};

const NodeExpandVolumeRequest = {
  volumeId: field(1, 'string'),
  volumePath: field(2, 'string'),
  capacityRange: field(3, { requiredBytes: field(1, 'int64'), limitBytes: field(2, 'int64') }),
  stagingTargetPath: field(4, 'string'),
  volumeCapability: field(5, VolumeCapability),
  secrets: repeated(6, StringPair),
};
const NodeExpandVolumeResponse = { capacityBytes: field(1, 'int64') };

const NodeGetCapabilitiesResponse = {
  capabilities: repeated(1, { rpc: field(1, { type: field(1, 'enum') }) }),
};
const NodeGetInfoResponse = {
  nodeId: field(1, 'string'),
  maxVolumesPerNode: field(2, 'int64'),
  accessibleTopology: field(3, { segments: repeated(1, StringPair) }),
};

const node = serviceMethods('csi.v1.Node');

export const csiNodeMethods = {
  nodeStageVolume: node('NodeStageVolume', NodeStageVolumeRequest, Empty),
  nodeUnstageVolume: node('NodeUnstageVolume', NodeUnstageVolumeRequest, Empty),
  nodePublishVolume: node('NodePublishVolume', NodePublishVolumeRequest, Empty),
  nodeUnpublishVolume: node('NodeUnpublishVolume', NodeUnpublishVolumeRequest, Empty),
  nodeGetVolumeStats: node('NodeGetVolumeStats', NodeGetVolumeStatsRequest, NodeGetVolumeStatsResponse),
  nodeExpandVolume: node('NodeExpandVolume', NodeExpandVolumeRequest, NodeExpandVolumeResponse),
  nodeGetCapabilities: node('NodeGetCapabilities', Empty, NodeGetCapabilitiesResponse),
  nodeGetInfo: node('NodeGetInfo', Empty, NodeGetInfoResponse),
} as const;
