/** Sets the default class of claims and ingresses that name none. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { AdmissionPlugin } from '@coxswain/apiserver';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { Ingress } from '@coxswain/api/networking/v1/ingress.ts';
import { isTo, objectOf, on } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';

export const defaultStorageClass = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'DefaultStorageClass',
  resources: [resources.persistentVolumeClaims],
  handles: on('CREATE'),
  async mutate(attributes) {
    if (!isTo(attributes, resources.persistentVolumeClaims)) return;
    const { metadata, spec } = objectOf<PersistentVolumeClaim>(attributes);
    if (spec.storageClassName !== undefined) return;
    if (metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined) return;
    const classes = await objects.list<KubeObject>(resources.storageClasses, '');
    const name = newestMarked(
      classes,
      'storageclass.kubernetes.io/is-default-class',
      'storageclass.beta.kubernetes.io/is-default-class',
    );
    if (name !== undefined) spec.storageClassName = name;
  },
});

export const defaultIngressClass = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'DefaultIngressClass',
  resources: [resources.ingresses],
  handles: on('CREATE'),
  async mutate(attributes) {
    if (!isTo(attributes, resources.ingresses)) return;
    const ingress = objectOf<Ingress>(attributes);
    if (ingress.spec?.ingressClassName !== undefined) return;
    if (ingress.metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined) return;
    const classes = await objects.list<KubeObject>(resources.ingressClasses, '');
    const name = newestMarked(classes, 'ingressclass.kubernetes.io/is-default-class');
    if (name !== undefined) ingress.spec = { ...ingress.spec, ingressClassName: name };
  },
});

/** The newest class with any of the annotations; the first by name among equals. */
function newestMarked(classes: readonly KubeObject[], ...annotations: readonly string[]): string | undefined {
  const marked = classes.filter(({ metadata }) =>
    annotations.some((annotation) => metadata.annotations?.[annotation] === 'true'),
  );
  const ordered = marked.toSorted(
    ({ metadata: a }, { metadata: b }) =>
      Date.parse(b.creationTimestamp!) - Date.parse(a.creationTimestamp!) || (a.name! < b.name! ? -1 : 1),
  );
  return ordered[0]?.metadata.name;
}
