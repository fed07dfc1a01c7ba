/** Volumes that must be available before anything of a simulated pod is created. */
import { volumeClaimName } from '@coxswain/api/core/v1/pod/claim-names.ts';
import { runStep, type StepObserver } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Volume } from '@coxswain/api/core/v1/volume.ts';
import { RuntimeFailure } from '@coxswain/kubelet/runtime.ts';
import { mountFailure, mountRetry, sourceOf, usedVolumes } from '@coxswain/kubelet/volumes/mount-failure.ts';
import { comesFromApi, volumePayload } from '@coxswain/kubelet/volumes/volume-content.ts';
import { contentSources, type PodSources } from '../process/pod-sources.ts';

export class AwaitedVolumes {
  readonly #sources: PodSources;
  /** The number of failed attempts by the pod's uid. */
  readonly #failures = new Map<string, number>();

  readonly #observer: StepObserver | undefined;

  constructor(sources: PodSources, observer?: StepObserver) {
    this.#sources = sources;
    this.#observer = observer;
  }

  /** @throws RuntimeFailure `FailedMount` */
  async ready(pod: Pod): Promise<void> {
    const needed = usedVolumes(pod).filter(mayBeMissing);
    if (needed.length === 0) return;
    const uid = pod.metadata?.uid ?? '';
    const failures = this.#failures.get(uid) ?? 0;
    this.#failures.set(uid, failures + 1);
    const check = checksOf(pod, this.#sources, failures);
    for (const volume of needed)
      await runStep(this.#observer, `volume/${volume.name}`, () => check(volume), {
        source: sourceOf(volume),
      });
    this.#failures.delete(uid);
  }

  forget(uid: string): void {
    this.#failures.delete(uid);
  }
}

/**
 * The volume that admission adds is always available, since a cluster may not run the controllers that provide its
 * contents.
 */
const mayBeMissing = (volume: Volume): boolean =>
  (comesFromApi(volume) && !volume.name.startsWith('kube-api-access-')) ||
  Boolean(volume.persistentVolumeClaim ?? volume.ephemeral);

/** The returned function throws RuntimeFailure `FailedMount`. */
function checksOf(pod: Pod, sources: PodSources, failures: number): (volume: Volume) => Promise<void> {
  const content = contentSources(sources, { hostIps: [], podIps: [], allocatable: {} });
  return async (volume) => {
    const claim = volumeClaimName(pod, volume);
    if (claim !== undefined) return checkClaim(pod, volume, claim, sources, failures);
    await volumePayload(pod, volume, content).catch((error: unknown) => {
      throw mountFailure(volume, error, failures);
    });
  };
}

async function checkClaim(
  { metadata }: Pod,
  { name }: Volume,
  claimName: string,
  sources: PodSources,
  failures: number,
): Promise<void> {
  const namespace = metadata?.namespace ?? '';
  const why = await sources.claim(namespace, claimName).then(
    ({ spec, status }) => (spec?.volumeName && status?.phase === 'Bound' ? undefined : 'PVC is not bound'),
    (error: Error) => `failed to fetch PVC from API server: ${error.message}`,
  );
  if (why === undefined) return;
  const message = `Unable to attach or mount volumes: unmounted volumes=[${name}], unattached volumes=[], failed to process volumes=[${name}]: error processing PVC ${namespace}/${claimName}: ${why}`;
  throw new RuntimeFailure('FailedMount', message, mountRetry(failures));
}
