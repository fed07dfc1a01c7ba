/** Failures to mount volumes: which volumes a pod needs, the message, and when to retry. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { RuntimeFailure } from '../runtime.ts';
import { VolumeFailure } from './volume-failure.ts';

/** The initial delay before a missing volume is tried again; it doubles each time. */
const retryMsMin = 500;
const retryMsMax = 122_000;

/** @param failures the number of earlier failures of the pod's volumes */
export const mountFailure = (volume: Volume, error: unknown, failures: number): RuntimeFailure =>
  new RuntimeFailure('FailedMount', mountFailureText(volume, error), mountRetry(failures));

export const mountRetry = (failures: number): { readonly retryMs: number } => ({
  retryMs: Math.min(retryMsMin * 2 ** failures, retryMsMax),
});

function mountFailureText({ name }: Volume, error: unknown): string {
  const { operation = 'MountVolume.SetUp', volume = name } = error instanceof VolumeFailure ? error : {};
  const why = messageOf(error);
  return `${operation} failed for volume "${volume}" : ${why}`;
}

/** The source of a volume, by the name of its field: `configMap`, `emptyDir`. */
export const sourceOf = (volume: Volume): string =>
  Object.keys(volume)
    .filter((member) => member !== 'name')
    .join(' ');

/** The volumes that some container mounts; image volumes are mounted by the runtime. */
export function usedVolumes({ spec }: Pod): readonly Volume[] {
  const used = new Set(
    [
      ...(spec?.initContainers ?? []),
      ...(spec?.containers ?? []),
      ...(spec?.ephemeralContainers ?? []),
    ].flatMap(({ volumeMounts, volumeDevices, env }) => [
      ...(volumeMounts ?? []).map(({ name }) => name),
      ...(volumeDevices ?? []).map(({ name }) => name),
      ...(env ?? []).flatMap(({ valueFrom }) =>
        valueFrom?.fileKeyRef ? [valueFrom.fileKeyRef.volumeName] : [],
      ),
    ]),
  );
  return (spec?.volumes ?? []).filter(({ name, image }) => used.has(name) && !image);
}
