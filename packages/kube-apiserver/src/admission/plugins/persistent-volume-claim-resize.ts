import { compareQuantities, parseQuantity } from '@coxswain/apimachinery';
import type { AdmissionPlugin } from '@coxswain/apiserver';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { StorageClass } from '@coxswain/api/storage/v1/storage-class.ts';
import { isTo, objectOf, oldObjectOf, on, refused } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';

/** A claim may grow only if it is bound and its class allows it. */
export const persistentVolumeClaimResize = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'PersistentVolumeClaimResize',
  resources: [resources.persistentVolumeClaims],
  handles: on('UPDATE'),
  async validate(attributes) {
    if (!isTo(attributes, resources.persistentVolumeClaims)) return;
    const claim = objectOf<PersistentVolumeClaim>(attributes);
    const old = oldObjectOf<PersistentVolumeClaim>(attributes);
    if (compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return;
    if (old.status.phase !== 'Bound') {
      throw refused(attributes, 'Only bound persistent volume claims can be expanded');
    }
    const className = classOf(claim);
    const found =
      className !== '' && className === classOf(old)
        ? await objects.get<StorageClass>(resources.storageClasses, '', className)
        : undefined;
    if (found?.allowVolumeExpansion === true) return;
    throw refused(
      attributes,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  },
});

const sizeOf = ({ spec }: PersistentVolumeClaim) => parseQuantity(spec.resources?.requests?.storage ?? '0');

const classOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
  metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName ?? '';
