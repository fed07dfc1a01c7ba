/**
 * Records the images that this node has pulled, and with whose credentials, in the files of the upstream kubelet
 * (KEP-2535): `pulling` for pulls in progress, `pulled` for images that are present, each in a file named by the
 * SHA-256 of its image.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readIfThere } from '../read-if-there.ts';
import { formatTime, type Clock } from '@coxswain/apimachinery';

/** A Secret with which an image was pulled. */
export interface PullSecret {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** The hash of its credentials, which reveals changes. */
  readonly credentialHash: string;
}

/** The credentials that grant access to an image. */
export interface PullCredentials {
  readonly kubernetesSecrets?: readonly PullSecret[];
  /** Not written here, since there are no credential providers. Kept if another kubelet has written it. */
  readonly kubernetesServiceAccounts?: readonly object[];
  /** Pulled without credentials, so that all pods may use it. */
  readonly nodePodsAccessible?: boolean;
}

export interface PulledRecord {
  readonly lastUpdatedTime: string;
  /** The runtime's name for the image. */
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

  /** @param root the kubelet's root directory. @throws Error if the directories can't be created in it */
  constructor(root: string, clock: Clock) {
    this.#clock = clock;
    this.#pulling = path.join(root, 'image_manager', 'pulling');
    this.#pulled = path.join(root, 'image_manager', 'pulled');
    for (const directory of [this.#pulling, this.#pulled])
      mkdirSync(directory, { recursive: true, mode: 0o700 });
  }

  /** Images whose pull an earlier process had started. */
  intents(): readonly string[] {
    return allIn<PullIntent>(this.#pulling).map(({ image }) => image);
  }

  /** @throws Error if the file can't be read */
  isIntended(image: string): boolean {
    return read<PullIntent>(this.#pulling, image)?.image === image;
  }

  /** @throws Error if the file can't be written */
  intend(image: string): void {
    write(this.#pulling, image, { kind: 'ImagePullIntent', apiVersion, image });
  }

  /** @throws Error if the file can't be removed */
  forgetIntent(image: string): void {
    rmSync(fileOf(this.#pulling, image), { force: true });
  }

  /** @throws Error if the file can't be read */
  of(imageRef: string): PulledRecord | undefined {
    const record = read<PulledRecord>(this.#pulled, imageRef);
    return record?.imageRef === imageRef ? record : undefined;
  }

  /**
   * Adds credentials to those that already grant access to an image.
   * @param credentials undefined if the end of the pull was not observed: every pod then needs valid ones
   * @throws Error if the file can't be written
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

  /** Forgets all images except these, and those recorded since then. */
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
      // It will be written again.
      return undefined;
    }
  }
}

/** Returns the same object if nothing is new. */
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

/** Compares identity, not contents. */
export const isSame = (a: PullSecret, b: PullSecret): boolean =>
  a.uid === b.uid && a.namespace === b.namespace && a.name === b.name;

const placeOf = ({ namespace, name, uid }: PullSecret): string => `${namespace}/${name}/${uid}`;
const byPlace = (a: PullSecret, b: PullSecret): number => (placeOf(a) < placeOf(b) ? -1 : 1);

const fileOf = (directory: string, image: string): string =>
  path.join(directory, `sha256-${createHash('sha256').update(image).digest('hex')}`);

function read<T>(directory: string, image: string): T | undefined {
  const text = readIfThere(fileOf(directory, image));
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

const draft = '.tmp';

function write(directory: string, image: string, content: object): void {
  const file = fileOf(directory, image);
  writeFileSync(file + draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(file + draft, file);
}

/** Skips files that can't be read. */
function allIn<T>(directory: string): readonly T[] {
  return readdirSync(directory)
    .filter((name) => !name.endsWith(draft))
    .flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(path.join(directory, name), 'utf8')) as T];
      } catch {
        return [];
      }
    });
}
