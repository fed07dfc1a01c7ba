/**
 * Decides which pods may use an image that is present: one pulled with credentials is not available to every pod
 * (KEP-2535).
 */
import { isSame, type PullCredentials, type PullRecords, type PullSecret } from './pull-records.ts';
import { untagged, type MustVerify } from '../config/verification-policy.ts';

/** The runtime's information about an image. */
interface ListedImage {
  readonly id: string;
  readonly repoTags: readonly string[];
  readonly repoDigests: readonly string[];
}

/** Beyond this number of Secrets per image, further ones are accepted without being recorded. */
const secretsMax = 100;

export class ImageAccess {
  readonly #records: PullRecords;
  readonly #mustVerify: MustVerify;
  readonly #onError: (error: unknown) => void;
  /** The number of pulls in progress by image. */
  readonly #pulls = new Map<string, number>();

  constructor(records: PullRecords, mustVerify: MustVerify, onError: (error: unknown) => void) {
    this.#records = records;
    this.#mustVerify = mustVerify;
    this.#onError = onError;
  }

  /** Images that an earlier process was pulling and that are present: their credentials are unknown. */
  async start(listImages: () => Promise<readonly ListedImage[]>): Promise<void> {
    const intents = new Set(this.#records.intents());
    if (intents.size === 0) return;
    for (const { id, repoTags, repoDigests } of await listImages()) {
      for (const image of [...repoDigests, ...repoTags].filter((name) => intents.has(name))) {
        this.#records.add(untagged(image), id);
        this.#records.forgetIntent(image);
      }
    }
  }

  /**
   * Reports whether a pod may use the image without pulling it.
   * @param image its name in the pod
   * @param secretsOfPod returns the pod's pull Secrets; called only if they matter
   */
  async isOpen(
    image: string,
    imageRef: string,
    secretsOfPod: () => Promise<readonly PullSecret[]>,
  ): Promise<boolean> {
    let record;
    let isPulled;
    try {
      record = this.#records.of(imageRef);
      isPulled = record !== undefined || this.#pulls.has(image) || this.#records.isIntended(image);
    } catch (error) {
      this.#onError(error);
      return false;
    }
    if (!this.#mustVerify(image, isPulled)) return true;
    const name = untagged(image);
    const known = record?.credentialMapping?.[name];
    if (known === undefined) return false;
    if (known.nodePodsAccessible === true) return true;
    const allowed = known.kubernetesSecrets ?? [];
    if (allowed.length === 0) return false;
    const found = matching(allowed, await secretsOfPod());
    if (found === undefined) return false;
    if (found.isNew) this.#note(name, imageRef, { kubernetesSecrets: [found.secret] });
    return true;
  }

  /** @throws Error if the intent can't be recorded: nothing must be pulled then */
  begin(image: string): void {
    this.#records.intend(image);
    this.#pulls.set(image, (this.#pulls.get(image) ?? 0) + 1);
  }

  /** @param secret undefined if no credentials were needed */
  pulled(image: string, imageRef: string, secret: PullSecret | undefined): void {
    const credentials = secret === undefined ? { nodePodsAccessible: true } : { kubernetesSecrets: [secret] };
    // If the record can't be written, the intent remains: the image counts as pulled but requires credentials.
    if (this.#note(untagged(image), imageRef, credentials)) this.ended(image);
  }

  /** Called for a pull that failed. */
  ended(image: string): void {
    const others = (this.#pulls.get(image) ?? 1) - 1;
    if (others > 0) this.#pulls.set(image, others);
    else {
      this.#records.forgetIntent(image);
      this.#pulls.delete(image);
    }
  }

  /** Forgets images that disappeared before that time. */
  prune(imageRefs: ReadonlySet<string>, beforeMs: number): void {
    this.#records.prune(imageRefs, beforeMs);
  }

  #note(name: string, imageRef: string, credentials: PullCredentials): boolean {
    try {
      this.#records.add(name, imageRef, credentials);
      return true;
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }
}

/**
 * Returns the pod's first Secret whose contents match a recorded one, or that is a recorded one with changed contents;
 * undefined if there is none. New information is not in the records yet.
 */
function matching(
  known: readonly PullSecret[],
  ofPod: readonly PullSecret[],
): { readonly secret: PullSecret; readonly isNew: boolean } | undefined {
  const mayGrow = known.length < secretsMax;
  for (const secret of ofPod) {
    for (const each of known) {
      const saysTheSame = each.credentialHash !== '' && each.credentialHash === secret.credentialHash;
      if (saysTheSame) return { secret, isNew: mayGrow && !isSame(each, secret) };
      if (isSame(each, secret) && mayGrow) return { secret, isNew: true };
    }
  }
  return undefined;
}
