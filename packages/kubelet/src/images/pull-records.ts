/**
 * What this node has pulled, and with whose credentials, in the files of the original's kubelet (KEP-2535):
 * `pulling` has those on their way, `pulled` those that are there, each in a file named by the SHA-256 of its image.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { formatTime, type Clock } from '@coxswain/apimachinery';

/** A Secret that an image was pulled with. */
export interface PullSecret {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Of what it says, so that a change is seen. */
  readonly credentialHash: string;
}

/** Who may use an image. */
export interface PullCredentials {
  readonly kubernetesSecrets?: readonly PullSecret[];
  /** Not written here: there are no credential providers. Kept when another kubelet has written it. */
  readonly kubernetesServiceAccounts?: readonly object[];
  /** It was had without credentials: by all pods. */
  readonly nodePodsAccessible?: boolean;
}

export interface PulledRecord {
  readonly lastUpdatedTime: string;
  /** As the runtime calls it. */
  readonly imageRef: string;
  /** By the image's name in the pod, without tag and digest. */
  readonly credentialMapping?: Readonly<Record<string, PullCredentials>>;
}

interface PullIntent {
  readonly image: string;
}

const apiVersion = 'kubelet.config.k8s.io/v1beta1';

export class PullRecords {
  readonly #pulling: string;
  readonly #pulled: string;
  readonly #clock: Clock;

  /** @param root the kubelet's folder. @throws Error when there can be none in it */
  constructor(root: string, clock: Clock) {
    this.#clock = clock;
    this.#pulling = path.join(root, 'image_manager', 'pulling');
    this.#pulled = path.join(root, 'image_manager', 'pulled');
    for (const folder of [this.#pulling, this.#pulled]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Images of which an earlier process had begun the pull. */
  intents(): readonly string[] {
    return allIn<PullIntent>(this.#pulling).map(({ image }) => image);
  }

  /** @throws Error when it can't be read */
  isIntended(image: string): boolean {
    return read<PullIntent>(this.#pulling, image)?.image === image;
  }

  /** @throws Error when it can't be written */
  intend(image: string): void {
    write(this.#pulling, image, { kind: 'ImagePullIntent', apiVersion, image });
  }

  /** @throws Error when the file stays */
  forgetIntent(image: string): void {
    rmSync(fileOf(this.#pulling, image), { force: true });
  }

  /** @throws Error when it can't be read */
  of(imageRef: string): PulledRecord | undefined {
    const record = read<PulledRecord>(this.#pulled, imageRef);
    return record?.imageRef === imageRef ? record : undefined;
  }

  /**
   * Adds who may use an image to those who may already.
   * @param credentials absent for one whose pull nobody has seen end: all have to show theirs
   * @throws Error when it can't be written
   */
  add(name: string, imageRef: string, credentials?: PullCredentials): void {
    const record = this.#readable(imageRef);
    const before = record?.credentialMapping?.[name];
    const after = credentials === undefined ? before : joined(before, credentials);
    if (record !== undefined && after === before) return;
    write(this.#pulled, imageRef, {
      kind: 'ImagePulledRecord',
      apiVersion,
      lastUpdatedTime: formatTime(this.#clock.now()),
      imageRef,
      credentialMapping: { ...record?.credentialMapping, ...(after && { [name]: after }) },
    });
  }

  /** Forgets all but those images, and those that were written of since then. */
  prune(imageRefs: ReadonlySet<string>, beforeMs: number): void {
    for (const { imageRef, lastUpdatedTime } of allIn<PulledRecord>(this.#pulled)) {
      if (imageRefs.has(imageRef) || Date.parse(lastUpdatedTime) >= Math.trunc(beforeMs / 1000) * 1000)
        continue;
      rmSync(fileOf(this.#pulled, imageRef), { force: true });
    }
  }

  #readable(imageRef: string): PulledRecord | undefined {
    try {
      return this.of(imageRef);
    } catch {
      // It is written anew.
      return undefined;
    }
  }
}

/** The same object when nothing is new. */
function joined(before: PullCredentials | undefined, added: PullCredentials): PullCredentials {
  if (before === undefined) return added;
  if (before.nodePodsAccessible === true) return before;
  if (added.nodePodsAccessible === true) return added;
  const present = before.kubernetesSecrets ?? [];
  const isThere = (secret: PullSecret) =>
    present.some((each) => isSame(each, secret) && each.credentialHash === secret.credentialHash);
  const news = (added.kubernetesSecrets ?? []).filter((secret) => !isThere(secret));
  if (news.length === 0) return before;
  const kept = present.filter((each) => !news.some((secret) => isSame(each, secret)));
  return { ...before, kubernetesSecrets: [...kept, ...news].sort(byPlace) };
}

/** Whatever it says. */
export const isSame = (a: PullSecret, b: PullSecret): boolean =>
  a.uid === b.uid && a.namespace === b.namespace && a.name === b.name;

const placeOf = ({ namespace, name, uid }: PullSecret): string => `${namespace}/${name}/${uid}`;
const byPlace = (a: PullSecret, b: PullSecret): number => (placeOf(a) < placeOf(b) ? -1 : 1);

const fileOf = (folder: string, image: string): string =>
  path.join(folder, `sha256-${createHash('sha256').update(image).digest('hex')}`);

function read<T>(folder: string, image: string): T | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(folder, image), 'utf8')) as T;
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw failure;
  }
}

const draft = '.tmp';

function write(folder: string, image: string, content: object): void {
  const file = fileOf(folder, image);
  writeFileSync(file + draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(file + draft, file);
}

/** Those that can be read. */
function allIn<T>(folder: string): readonly T[] {
  return readdirSync(folder)
    .filter((name) => !name.endsWith(draft))
    .flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as T];
      } catch {
        return [];
      }
    });
}
