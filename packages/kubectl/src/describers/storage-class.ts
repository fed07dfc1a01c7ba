import type * as storage from '@coxswain/api/storage/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { formatLabels } from './selector.ts';
import { boolText, DescriptionText } from './text.ts';

type StorageClass = Live<storage.StorageClass>;

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const describeStorageClass: Describer = async (object, context) => {
  const { metadata, mountOptions = [], ...storage }: StorageClass = object;
  const isDefault = defaultAnnotations.some((key) => metadata.annotations?.[key] === 'true');
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'IsDefaultClass', isDefault ? 'Yes' : 'No');
  text.field(0, 'Annotations', formatLabels(metadata.annotations));
  text.field(0, 'Provisioner', storage.provisioner);
  text.field(0, 'Parameters', formatLabels(storage.parameters));
  text.field(0, 'AllowVolumeExpansion', boolText(storage.allowVolumeExpansion));
  if (mountOptions.length === 0) text.field(0, 'MountOptions', '<none>');
  else {
    text.line(0, 'MountOptions:');
    for (const option of mountOptions) text.line(1, option);
  }
  text.optional(0, 'ReclaimPolicy', storage.reclaimPolicy);
  text.optional(0, 'VolumeBindingMode', storage.volumeBindingMode);
  describeTopologies(text, storage.allowedTopologies);
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};

function describeTopologies(text: DescriptionText, topologies: StorageClass['allowedTopologies']): void {
  if (!topologies) return;
  text.field(0, 'AllowedTopologies', topologies.length === 0 ? '<none>' : '');
  topologies.forEach(({ matchLabelExpressions = [] }, at) => {
    const title = `Term ${at}:`;
    if (matchLabelExpressions.length === 0) text.line(1, `${title}\t<none>`);
    matchLabelExpressions.forEach(({ key, values = [] }, place) => {
      const shown = values.length === 0 ? `${key} in` : `${key} in [${values.join(', ')}]`;
      text.line(1, `${place === 0 ? title : ''}\t${shown}`);
    });
  });
}
