import { FieldPath } from '@coxswain/apimachinery';
import type { SpecObject } from '../../../meta/kind-object.ts';
import { nodeTermWarnings } from '../node/node-label-warnings.ts';
import type { PersistentVolumeSpec } from '../persistent-volume-spec.ts';

const annotationMessages = [
  [
    'volume.beta.kubernetes.io/storage-class',
    'deprecated since v1.8; use "storageClassName" attribute instead',
  ],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;

/** Removed in-tree drivers: member, name in the text, text; in the order of the warnings. */
const sourceMessages = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

export function volumeWarnings({ metadata, spec }: SpecObject<PersistentVolumeSpec>): string[] {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const termsPath = FieldPath.of('spec', 'nodeAffinity', 'required', 'nodeSelectorTerms');
  return [
    ...annotationMessages
      .filter(([key]) => metadata.annotations?.[key] !== undefined)
      .map(([key, message]) => `${FieldPath.of('metadata', 'annotations').key(key)}: ${message}`),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...terms.flatMap((term, index) => nodeTermWarnings(term, termsPath.index(index))),
    ...sourceMessages
      .filter(([name]) => spec[name] != null)
      .map(([, name, message]) => `spec.${name}: ${message}`),
  ];
}
