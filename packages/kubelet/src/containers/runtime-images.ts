/** Images of the node: what is there, and getting what is not. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { imageTag } from '@coxswain/api/core/v1/image-reference.ts';
import type { Secret } from '@coxswain/api/core/v1/secret.ts';
import type { Clock } from '@coxswain/apimachinery';
import { GrpcError, grpcCodes } from '@coxswain/storage/etcd/grpc-status.ts';
import type { Cri } from '../cri/cri-client.ts';
import { criFailureText } from '../cri/cri-client.ts';
import { pairsOf } from '../cri/shared-messages.ts';
import { RuntimeFailure } from '../runtime.ts';
import { Turns } from '../turns.ts';
import type { ImageInfo } from '../runtime.ts';
import { credentialsFor } from './registry-credentials.ts';
import type { SandboxConfig } from './sandbox-config.ts';
import type { ImageUser } from './security-context.ts';

/** An image as containers are made from it. */
export interface NodeImage extends ImageInfo {
  /** The runtime's own name of it. */
  readonly id: string;
  readonly user: ImageUser;
}

export interface RuntimeImagesOptions {
  readonly cri: Cri;
  readonly clock: Clock;
  /** Those of `imagePullSecrets` that there are. */
  readonly pullSecrets: (pod: Pod) => Promise<readonly Secret[]>;
  /** How many pulls run at once: one with `serializeImagePulls`, any number when absent. */
  readonly pullsAtOnceMax?: number | undefined;
  /** How often images are pulled at all; as often as wanted when absent. */
  readonly pace?: { tryAccept(): boolean } | undefined;
}

/** A pull that makes no progress ends by the runtime's own rules; this is for one that never ends at all. */
const pullMsMax = 24 * 3_600_000;

export class RuntimeImages {
  readonly #options: RuntimeImagesOptions;
  readonly #turns: Turns;

  constructor(options: RuntimeImagesOptions) {
    this.#options = options;
    this.#turns = new Turns(options.pullsAtOnceMax ?? Infinity);
  }

  /** @throws RuntimeFailure `InvalidImageName`, `ImageInspectError` */
  async find(name: string): Promise<NodeImage | undefined> {
    const image = fullName(name);
    const answer = await this.#options.cri.imageStatus({ image: { image } }).catch((error: unknown) => {
      throw new RuntimeFailure('ImageInspectError', `Failed to inspect image "": ${criFailureText(error)}`);
    });
    const found = answer.image;
    if (found === undefined) return undefined;
    return {
      id: found.id,
      ref: found.repoDigests[0] ?? found.id,
      sizeBytes: found.size,
      pulledInMs: 0,
      user:
        found.uid !== undefined
          ? { uid: found.uid.value }
          : found.username === ''
            ? { uid: 0 }
            : { username: found.username },
    };
  }

  /**
   * @param sandbox of the pod that it is for: runtimes may pull by it
   * @throws RuntimeFailure `ErrImagePull`, `RegistryUnavailable`, `SignatureValidationFailed`
   */
  async pull(name: string, pod: Pod, signal: AbortSignal, sandbox?: SandboxConfig): Promise<ImageInfo> {
    return this.#turns.take(() => this.#pull(name, pod, signal, sandbox));
  }

  async #pull(name: string, pod: Pod, signal: AbortSignal, sandbox?: SandboxConfig): Promise<ImageInfo> {
    const { cri, clock, pullSecrets } = this.#options;
    signal.throwIfAborted();
    const image = fullName(name);
    const beganMs = clock.monotonic();
    const secrets = await pullSecrets(pod);
    // Without credentials last: those that are given may be for other parts of the registry.
    const candidates = [...credentialsFor(image, secrets), undefined];
    const spec = { image, annotations: pairsOf(pod.metadata?.annotations ?? {}) };
    let failure: unknown;
    for (const auth of candidates) {
      try {
        if (this.#options.pace?.tryAccept() === false) throw new Error('pull QPS exceeded');
        const request = { image: spec, ...(auth && { auth }), ...(sandbox && { sandboxConfig: sandbox }) };
        await cri.pullImage(request, { timeoutMs: pullMsMax, signal });
        const found = await this.find(name);
        if (found === undefined)
          throw new RuntimeFailure('ErrImagePull', `image "${name}" is gone after its pull`);
        return { ...found, pulledInMs: Math.floor(clock.monotonic() - beganMs) };
      } catch (error) {
        signal.throwIfAborted();
        failure = error;
      }
    }
    throw pullFailure(name, failure);
  }
}

/** @throws RuntimeFailure `InvalidImageName` */
function fullName(name: string): string {
  if (name.includes('@') || /^[a-f0-9]{64}$/.test(name) || name.startsWith('sha256:')) return name;
  const tag = imageTag(name);
  if (tag === '') {
    const why = `couldn't parse image name "${name}": invalid reference format`;
    throw new RuntimeFailure('InvalidImageName', `Failed to apply default image tag "${name}": ${why}`);
  }
  return name.endsWith(`:${tag}`) ? name : `${name}:${tag}`;
}

function pullFailure(name: string, error: unknown): RuntimeFailure {
  if (error instanceof RuntimeFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  for (const [prefix, what] of runtimeReasons) {
    if (!message.startsWith(prefix)) continue;
    const text = `image pull failed for ${name} because the ${what}${message.slice(prefix.length)}`;
    return new RuntimeFailure(prefix, text);
  }
  // A code that says nothing is left out.
  const isPlain = error instanceof GrpcError && error.code === grpcCodes.unknown;
  return new RuntimeFailure('ErrImagePull', isPlain ? message : criFailureText(error));
}

const runtimeReasons = [
  ['RegistryUnavailable', 'registry is unavailable'],
  ['SignatureValidationFailed', 'signature validation failed'],
] as const;
