/** Small rules for publishing a volume, each as upstream has it. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { AccessMode, NodeCapability } from './csi-messages.ts';

/** Returns the number of the volume's first access mode: drivers without the newer capability only know older modes. */
export function accessModeOf(modes: readonly string[], capabilities: ReadonlySet<number>): number {
  const table = capabilities.has(NodeCapability.singleNodeMultiWriter) ? newerModes : olderModes;
  return table[modes[0] ?? 'ReadWriteOnce'] ?? AccessMode.unknown;
}

const olderModes: Readonly<Record<string, number>> = {
  ReadWriteOnce: AccessMode.singleNodeWriter,
  ReadOnlyMany: AccessMode.multiNodeReaderOnly,
  ReadWriteMany: AccessMode.multiNodeMultiWriter,
  ReadWriteOncePod: AccessMode.singleNodeWriter,
};

const newerModes: Readonly<Record<string, number>> = {
  ...olderModes,
  ReadWriteOnce: AccessMode.singleNodeMultiWriter,
  ReadWriteOncePod: AccessMode.singleNodeSingleWriter,
};

const fsGroupOf = ({ spec }: Pod): number | undefined => {
  const { fsGroup } = spec?.securityContext ?? {};
  return fsGroup === undefined || fsGroup === null ? undefined : Number(fsGroup);
};

/** The pod's fsGroup, if the driver applies it. */
export const groupIsDriversToSet = (pod: Pod, capabilities: ReadonlySet<number>): string | undefined =>
  capabilities.has(NodeCapability.volumeMountGroup) ? fsGroupOf(pod)?.toString() : undefined;

export interface GroupQuestion {
  readonly pod: Pod;
  readonly policy: string | null | undefined;
  readonly capabilities: ReadonlySet<number>;
  readonly readOnly: boolean;
  readonly fsType: string;
  readonly accessModes: readonly string[];
}

/** The pod's fsGroup, if the kubelet must apply it. */
export function kubeletSetsGroup(question: GroupQuestion): number | undefined {
  const { pod, policy, capabilities, readOnly, fsType, accessModes } = question;
  const group = fsGroupOf(pod);
  if (group === undefined || readOnly || policy === 'None') return undefined;
  if (capabilities.has(NodeCapability.volumeMountGroup)) return undefined;
  if (policy === 'File') return group;
  return fsType !== '' && accessModes.includes('ReadWriteOnce') ? group : undefined;
}

/** For drivers with podInfoOnMount. */
export const podInfo = ({ metadata, spec }: Pod, isEphemeral: boolean): Record<string, string> => ({
  'csi.storage.k8s.io/pod.name': metadata?.name ?? '',
  'csi.storage.k8s.io/pod.namespace': metadata?.namespace ?? '',
  'csi.storage.k8s.io/pod.uid': metadata?.uid ?? '',
  'csi.storage.k8s.io/serviceAccount.name': spec?.serviceAccountName ?? '',
  'csi.storage.k8s.io/ephemeral': String(isEphemeral),
});
