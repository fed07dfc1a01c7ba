/** Volumes that can't be brought to a pod yet: which ones it needs, what is told, and when it is tried again. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { RuntimeFailure } from '../runtime.ts';
import { VolumeFailure } from './volume-failure.ts';

/** A volume that isn't there yet is tried again after this, twice as long each time. */
const retryMsMin = 500;
const retryMsMax = 122_000;

/** @param failures how often the pod's volumes failed before */
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

/** What a volume is made from, by the name of the member that says it: `configMap`, `emptyDir`. */
export const sourceOf = (volume: Volume): string =>
  Object.keys(volume)
    .filter((member) => member !== 'name')
    .join(' ');

/** What some container mounts; images are the runtime's to mount. */
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
