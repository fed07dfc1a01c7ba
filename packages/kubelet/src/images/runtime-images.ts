/** Manages the node's images: finds those that are present and pulls missing ones. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { imageTag } from '@coxswain/api/core/v1/pod/image-reference.ts';
import type { Secret } from '@coxswain/api/core/v1/secret.ts';
import { aggregateText, type Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { GrpcError, grpcCodes, grpcFailureText } from '@coxswain/grpc/status.ts';
import type { Cri } from '../cri/cri-client.ts';
import { pairsOf } from '../cri/shared-messages.ts';
import { RuntimeFailure, type ImageInfo } from '../runtime.ts';
import { Semaphore } from '../semaphore.ts';
import type { ImageAccess } from './image-access.ts';
import { credentialsFor, type RegistryCredentials } from './registry-credentials.ts';
import type { SandboxConfig } from '../cri/sandbox-messages.ts';

/** The user that the image specifies: a number, or a name that only the image can resolve. */
export interface ImageUser {
  readonly uid?: number;
  readonly username?: string;
}

/** An image from which containers can be created. */
export interface NodeImage extends ImageInfo {
  /** The runtime's own ID of the image. */
  readonly id: string;
  readonly user: ImageUser;
}

export interface RuntimeImagesOptions {
  readonly cri: Cri;
  readonly clock: Clock;
  readonly access: ImageAccess;
  /** Returns the existing Secrets among `imagePullSecrets`. */
  readonly pullSecrets: (pod: Pod) => Promise<readonly Secret[]>;
  /** The number of concurrent pulls: one with `serializeImagePulls`, unlimited if undefined. */
  readonly pullsAtOnceMax?: number | undefined;
  /** Limits the rate of pulls; unlimited if undefined. */
  readonly pace?: { tryAccept(): boolean } | undefined;
}

/** The runtime's own rules end a pull without progress; this is for one that never ends at all. */
const pullMsMax = 24 * 3_600_000;

export class RuntimeImages {
  readonly #options: RuntimeImagesOptions;
  readonly #turns: Semaphore;

  constructor(options: RuntimeImagesOptions) {
    this.#options = options;
    this.#turns = new Semaphore(options.pullsAtOnceMax ?? Infinity);
  }

  /** @throws RuntimeFailure `InvalidImageName`, `ImageInspectError` */
  async find(name: string): Promise<NodeImage | undefined> {
    const image = fullName(name);
    const answer = await this.#options.cri.imageStatus({ image: { image } }).catch((error: unknown) => {
      throw new RuntimeFailure('ImageInspectError', `Failed to inspect image "": ${grpcFailureText(error)}`);
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
   * Returns the image if it is present and the pod may use it: an image pulled with others' credentials is treated as
   * missing.
   * @throws RuntimeFailure as {@link find}
   */
  async findFor(name: string, pod: Pod): Promise<NodeImage | undefined> {
    const found = await this.find(name);
    if (found === undefined) return undefined;
    const secrets = async () => (await this.#credentialsOf(pod, fullName(name))).map(({ source }) => source);
    return (await this.#options.access.isOpen(name, found.id, secrets)) ? found : undefined;
  }

  async #credentialsOf(pod: Pod, image: string): Promise<readonly RegistryCredentials[]> {
    return credentialsFor(image, await this.#options.pullSecrets(pod));
  }

  /**
   * @param sandbox the sandbox of the pod, which may affect how the runtime pulls
   * @throws RuntimeFailure `ErrImagePull`, `RegistryUnavailable`, `SignatureValidationFailed`
   */
  async pull(name: string, pod: Pod, signal: AbortSignal, sandbox?: SandboxConfig): Promise<ImageInfo> {
    return this.#turns.take(() => this.#pull(name, pod, signal, sandbox));
  }

  async #pull(name: string, pod: Pod, signal: AbortSignal, sandbox?: SandboxConfig): Promise<ImageInfo> {
    const { clock, access } = this.#options;
    signal.throwIfAborted();
    const beganMs = clock.monotonic();
    this.#begin(name);
    let used: RegistryCredentials | undefined;
    let found: NodeImage | undefined;
    try {
      used = await this.#pullWithAny(name, pod, signal, sandbox);
      found = await this.find(name);
    } finally {
      if (found === undefined) access.ended(name);
    }
    if (found === undefined)
      throw new RuntimeFailure('ErrImagePull', `image "${name}" is gone after its pull`);
    access.pulled(name, found.id, used?.source);
    return { ...found, pulledInMs: Math.floor(clock.monotonic() - beganMs) };
  }

  #begin(name: string): void {
    try {
      this.#options.access.begin(name);
    } catch (error) {
      const why = `${JSON.stringify(name)}: ${messageOf(error)}`;
      throw new RuntimeFailure(
        'ErrImagePull',
        `Failed to record image pull intent for container image ${why}`,
      );
    }
  }

  /** Resolves with the accepted credentials; undefined if the pod has none for this registry. */
  async #pullWithAny(
    name: string,
    pod: Pod,
    signal: AbortSignal,
    sandbox?: SandboxConfig,
  ): Promise<RegistryCredentials | undefined> {
    const { cri, pace } = this.#options;
    const image = fullName(name);
    const spec = { image, annotations: pairsOf(pod.metadata?.annotations ?? {}) };
    const candidates = await this.#credentialsOf(pod, image);
    const failures: unknown[] = [];
    for (const credentials of candidates.length === 0 ? [undefined] : candidates) {
      const { username, password } = credentials ?? {};
      const auth = credentials && { username, password };
      try {
        if (pace?.tryAccept() === false) throw new Error('pull QPS exceeded');
        const request = { image: spec, ...(auth && { auth }), ...(sandbox && { sandboxConfig: sandbox }) };
        await cri.pullImage(request, { timeoutMs: pullMsMax, signal });
        return credentials;
      } catch (error) {
        signal.throwIfAborted();
        failures.push(error);
      }
    }
    throw pullFailure(name, failures);
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

/** @param failures one for each of the credentials */
function pullFailure(name: string, failures: readonly unknown[]): RuntimeFailure {
  const [error] = failures;
  if (failures.length > 1)
    return new RuntimeFailure('ErrImagePull', aggregateText(failures.map(grpcFailureText)));
  const message = messageOf(error);
  for (const [prefix, what] of runtimeReasons) {
    if (!message.startsWith(prefix)) continue;
    const text = `image pull failed for ${name} because the ${what}${message.slice(prefix.length)}`;
    return new RuntimeFailure(prefix, text);
  }
  // A code without meaning is omitted.
  const isPlain = error instanceof GrpcError && error.code === grpcCodes.unknown;
  return new RuntimeFailure('ErrImagePull', isPlain ? message : grpcFailureText(error));
}

const runtimeReasons = [
  ['RegistryUnavailable', 'registry is unavailable'],
  ['SignatureValidationFailed', 'signature validation failed'],
] as const;
