import type { KubeObject } from '@coxswain/apimachinery';
import { canonicalQuantity } from '@coxswain/apimachinery/quantity.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText } from './text.ts';

interface PersistentVolumeClaim extends KubeObject {
  readonly spec?: {
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly volumeMode?: string;
  };
  readonly status?: {
    readonly phase?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: Readonly<Record<string, string>>;
  };
}

interface Pod extends KubeObject {
  readonly spec?: {
    readonly volumes?: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[];
  };
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

export const describePersistentVolumeClaim: Describer = async (object, context) => {
  const { metadata, spec = {}, status = {} }: PersistentVolumeClaim = object;
  const { name = '', namespace = '' } = metadata;
  const pods = await context.list<Pod>(`/api/v1/namespaces/${namespace}/pods`);
  const users = pods
    .filter(({ spec: pod }) =>
      pod?.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === name),
    )
    .map((pod) => pod.metadata.name ?? '');
  const isBound = spec.volumeName !== undefined && spec.volumeName !== '';
  const modes = (status.accessModes ?? []).map((mode) => shortModes[mode] ?? mode);
  const text = new DescriptionText();
  text.field(0, 'Name', name);
  text.field(0, 'Namespace', namespace);
  text.field(0, 'StorageClass', spec.storageClassName);
  text.field(0, 'Status', metadata.deletionTimestamp ? 'Terminating' : status.phase);
  text.field(0, 'Volume', spec.volumeName);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'Finalizers', `[${(metadata.finalizers ?? []).join(' ')}]`);
  text.field(0, 'Capacity', isBound ? canonicalQuantity(status.capacity?.['storage'] ?? '0') : '');
  text.field(0, 'Access Modes', isBound ? modes.join(',') : '');
  text.optional(0, 'VolumeMode', spec.volumeMode);
  text.field(0, 'Used By', users.length === 0 ? '<none>' : users[0]);
  for (const user of users.slice(1)) text.line(0, `\t${user}`);
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};
