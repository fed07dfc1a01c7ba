/** Which pods may use an image that is there: one had with somebody's credentials is not for everybody (KEP-2535). */
import { isSame, type PullCredentials, type PullRecords, type PullSecret } from './pull-records.ts';
import { untagged, type MustVerify } from '../config/verification-policy.ts';

/** What a runtime tells of one of its images. */
interface ListedImage {
  readonly id: string;
  readonly repoTags: readonly string[];
  readonly repoDigests: readonly string[];
}

/** Beyond so many that may use an image, one more is let in without being written down. */
const secretsMax = 100;

export class ImageAccess {
  readonly #records: PullRecords;
  readonly #mustVerify: MustVerify;
  readonly #onError: (error: unknown) => void;
  /** How many pulls of an image are on their way. */
  readonly #pulls = new Map<string, number>();

  constructor(records: PullRecords, mustVerify: MustVerify, onError: (error: unknown) => void) {
    this.#records = records;
    this.#mustVerify = mustVerify;
    this.#onError = onError;
  }

  /** Of what an earlier process was pulling, and which is there: nobody has seen with what it came. */
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
   * Whether a pod may use the image without pulling it.
   * @param image its name in the pod
   * @param secretsOfPod with which the pod would pull it; asked for where it matters
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

  /** @throws Error when it can't be written down: then nothing must be pulled */
  begin(image: string): void {
    this.#records.intend(image);
    this.#pulls.set(image, (this.#pulls.get(image) ?? 0) + 1);
  }

  /** @param secret absent where no credentials were needed */
  pulled(image: string, imageRef: string, secret: PullSecret | undefined): void {
    const credentials = secret === undefined ? { nodePodsAccessible: true } : { kubernetesSecrets: [secret] };
    // What can't be written stays an intent: so it counts as pulled, and nobody has it for nothing.
    if (this.#note(untagged(image), imageRef, credentials)) this.ended(image);
  }

  /** A pull that brought nothing. */
  ended(image: string): void {
    const others = (this.#pulls.get(image) ?? 1) - 1;
    if (others > 0) this.#pulls.set(image, others);
    else {
      this.#records.forgetIntent(image);
      this.#pulls.delete(image);
    }
  }

  /** Forgets images that went before that time. */
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
 * The first secret of the pod that says the same as one that is known, or that is one of them and says something else
 * by now; undefined for none. New is what the records don't have.
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
