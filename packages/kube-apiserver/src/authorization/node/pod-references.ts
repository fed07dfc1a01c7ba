/** The names of the objects that a pod or a volume refers to, which its node may read. */
import { volumeClaimName } from '@coxswain/api/core/v1/pod/claim-names.ts';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

type Volume = NonNullable<Pod['spec']['volumes']>[number];

export const mirrorPodAnnotation = 'kubernetes.io/config.mirror';

export const isMirrorPod = ({ metadata }: Pod): boolean =>
  metadata.annotations?.[mirrorPodAnnotation] !== undefined;

export const secretNamesOf = ({ spec }: Pod): string[] =>
  known([
    ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
    ...containersOf(spec).flatMap(({ env, envFrom }) => [
      ...(envFrom ?? []).map(({ secretRef }) => secretRef?.name),
      ...(env ?? []).map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ]),
    ...(spec.volumes ?? []).flatMap(secretsOfVolume),
  ]);

export const configMapNamesOf = ({ spec }: Pod): string[] =>
  known([
    ...containersOf(spec).flatMap(({ env, envFrom }) => [
      ...(envFrom ?? []).map(({ configMapRef }) => configMapRef?.name),
      ...(env ?? []).map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
    ]),
    ...(spec.volumes ?? []).flatMap(({ configMap, projected }) => [
      configMap?.name,
      ...(projected?.sources ?? []).map((source) => source.configMap?.name),
    ]),
  ]);

export const claimNamesOf = (pod: Pod): string[] =>
  known((pod.spec.volumes ?? []).map((volume) => volumeClaimName(pod, volume)));

export interface SecretKey {
  readonly namespace: string;
  readonly name: string;
}

/** Only those secrets of a volume that the kubelet reads. */
export function secretsOfPersistentVolume({ spec }: PersistentVolume): SecretKey[] {
  const claimNamespace = spec.claimRef?.namespace ?? '';
  const { azureFile, csi } = spec;
  if (azureFile) {
    return keys([{ namespace: azureFile.secretNamespace || claimNamespace, name: azureFile.secretName }]);
  }
  const inClaimNamespace = [spec.cephfs, spec.flexVolume, spec.rbd, spec.scaleIO, spec.iscsi].map(
    (source) =>
      source?.secretRef && { ...source.secretRef, namespace: source.secretRef.namespace || claimNamespace },
  );
  return keys([
    ...inClaimNamespace,
    spec.cinder?.secretRef,
    spec.storageos?.secretRef,
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
  ]);
}

const secretsOfVolume = (volume: Volume): (string | undefined)[] => [
  volume.azureFile?.secretName,
  volume.cephfs?.secretRef?.name,
  volume.cinder?.secretRef?.name,
  volume.flexVolume?.secretRef?.name,
  volume.rbd?.secretRef?.name,
  volume.secret?.secretName,
  volume.scaleIO?.secretRef?.name,
  volume.iscsi?.secretRef?.name,
  volume.storageos?.secretRef?.name,
  volume.csi?.nodePublishSecretRef?.name,
  ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
];

const containersOf = (spec: Pod['spec']): readonly Pick<Container, 'env' | 'envFrom'>[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];

const known = (names: readonly (string | null | undefined)[]): string[] =>
  names.filter((name) => name !== undefined && name !== null && name !== '') as string[];

const keys = (
  refs: readonly ({ readonly namespace?: string; readonly name?: string } | null | undefined)[],
): SecretKey[] =>
  refs.flatMap((ref) => (ref?.name ? [{ namespace: ref.namespace ?? '', name: ref.name }] : []));
