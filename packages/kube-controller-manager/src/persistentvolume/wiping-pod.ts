/** Builds the recycler pod of a volume. */
import { parseQuantity, quantityValue } from '@coxswain/apimachinery';
import type { PersistentVolume, Pod } from '../objects.ts';
import type { ControllerSettings } from '../settings.ts';

const gibibyte = 1024 ** 3;

/** Undefined for a volume that can't be recycled. */
export function wipingPod(
  { metadata, spec }: PersistentVolume,
  recyclers: ControllerSettings['recyclers'],
): Pod | undefined {
  const { hostPath, nfs } = spec ?? {};
  const source = hostPath
    ? { hostPath: { path: hostPath.path } }
    : nfs && { nfs: { server: nfs.server, path: nfs.path } };
  if (!source) return undefined;
  const { secondsMin, secondsPerGibibyte, podTemplate } = hostPath ? recyclers.hostPath : recyclers.nfs;
  const bytes = Number(quantityValue(parseQuantity(spec?.capacity?.['storage'] ?? '0')));
  const template = (podTemplate ?? deletingPod) as Pod;
  const { generateName: _generated, ...about } = template.metadata;
  const [volume, ...others] = template.spec!.volumes!;
  return {
    ...template,
    metadata: { ...about, name: `recycler-for-${metadata.name}` },
    spec: {
      ...template.spec!,
      activeDeadlineSeconds: Math.max(secondsMin, Math.floor(bytes / gibibyte) * secondsPerGibibyte),
      volumes: [{ name: volume!.name, ...source }, ...others],
    },
  } as Pod;
}

/** The volume is filled in later. */
const deletingPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default' },
  spec: {
    restartPolicy: 'Never',
    volumes: [{ name: 'vol' }],
    containers: [
      {
        name: 'pv-recycler',
        image: 'registry.k8s.io/build-image/debian-base:bookworm-v1.0.6',
        command: ['/bin/sh'],
        args: [
          '-c',
          'test -e /scrub && find /scrub -mindepth 1 -delete && test -z "$(ls -A /scrub)" || exit 1',
        ],
        volumeMounts: [{ name: 'vol', mountPath: '/scrub' }],
      },
    ],
  },
} as unknown as Pod;
