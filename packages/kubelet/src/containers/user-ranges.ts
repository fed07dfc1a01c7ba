/**
 * Users of pods with a user namespace (`hostUsers: false`): each pod has its own range of the node's users, recorded in its
 * directory in the upstream format.
 */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Random } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Decoded } from '@coxswain/protobuf';
import type { Cri } from '../cri/cri-client.ts';
import type { IdMapping } from '../cri/sandbox-messages.ts';
import { podDirectory, type KubeletDirectories } from '../pod-paths.ts';
import { readIfThere } from '../read-if-there.ts';
import { RuntimeFailure } from '../runtime.ts';
import { Semaphore } from '../semaphore.ts';

export type UserRange = Decoded<typeof IdMapping>;

export interface UserRangesOptions {
  readonly cri: Pick<Cri, 'status'>;
  readonly directories: KubeletDirectories;
  readonly podsMax: number;
  readonly idsPerPod: number;
  readonly random: Random;
}

interface RangeFile {
  readonly uidMappings: readonly UserRange[];
  readonly gidMappings: readonly UserRange[];
}

const fileName = 'userns';
const idsOfNode = 2 ** 32;

export class UserRanges {
  readonly #options: UserRangesOptions;
  /** So that no two pods choose the same range. */
  readonly #turn = new Semaphore(1);

  constructor(options: UserRangesOptions) {
    this.#options = options;
  }

  /** @throws RuntimeFailure if the pod needs user namespaces and the runtime has none */
  async check(pod: Pod, handler: string): Promise<void> {
    if (!hasOwnUsers(pod)) return;
    const { runtimeHandlers } = await this.#options.cri.status({});
    if (runtimeHandlers.some(({ name, features }) => name === handler && features?.userNamespaces)) return;
    const who = handler === '' ? 'runtime' : `RuntimeClass handler "${handler}"`;
    throw new RuntimeFailure(
      'CreatePodSandboxError',
      `can't set \`spec.hostUsers: false\`, ${who} does not support user namespaces`,
    );
  }

  /**
   * The pod's range, chosen at the first call; undefined if it has the node's users.
   * @throws Error if no range is free, or a record is damaged
   */
  async of(pod: Pod): Promise<UserRange | undefined> {
    if (!hasOwnUsers(pod)) return undefined;
    const uid = pod.metadata?.uid ?? '';
    return this.#recorded(uid) ?? this.#turn.take(async () => this.#recorded(uid) ?? this.#choose(uid));
  }

  /** Called when the pod's processes are gone. */
  async release(podUid: string): Promise<void> {
    await rm(this.#fileOf(podUid), { force: true });
  }

  async #choose(uid: string): Promise<UserRange> {
    const { directories, podsMax, idsPerPod, random } = this.#options;
    const others = await readdir(path.join(directories.root, 'pods')).catch(() => []);
    const taken = new Set(others.map((other) => this.#recorded(other)?.hostId));
    // The range before the first one has the node's own users.
    const all = Array.from({ length: podsMax }, (_, index) => (index + 1) * idsPerPod);
    const free = all.filter((id) => !taken.has(id) && id + idsPerPod <= idsOfNode);
    // At random, as upstream: pods of different nodes that share a volume rarely share users.
    const hostId = free[Math.floor(random.next() * free.length)];
    if (hostId === undefined)
      throw new Error(
        'create user namespace error: could not find an empty slot to allocate a user namespace',
      );
    const range = { hostId, containerId: 0, length: idsPerPod };
    await this.#record(uid, range);
    return range;
  }

  async #record(uid: string, range: UserRange): Promise<void> {
    const file = this.#fileOf(uid);
    const content: RangeFile = { uidMappings: [range], gidMappings: [range] };
    await mkdir(path.dirname(file), { recursive: true, mode: 0o750 });
    await writeFile(`${file}.new`, JSON.stringify(content), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  #recorded(uid: string): UserRange | undefined {
    const text = readIfThere(this.#fileOf(uid));
    if (text === undefined) return undefined;
    try {
      return this.#checked(JSON.parse(text) as RangeFile);
    } catch (error) {
      throw new Error(`user namespace: pod "${uid}": invalid user namespace mappings file`, { cause: error });
    }
  }

  /** Whatever else it holds would give a pod users of the node or of another pod. */
  #checked({ uidMappings: [range, ...others], gidMappings: [group] }: RangeFile): UserRange {
    const { idsPerPod } = this.#options;
    const { hostId, containerId, length } = range!;
    const isOne = others.length === 0 && group?.hostId === hostId && group.length === length;
    if (!isOne || containerId !== 0 || group.containerId !== 0 || length !== idsPerPod)
      throw new Error('not one range from 0');
    if (hostId % idsPerPod !== 0 || hostId < idsPerPod || hostId + length > idsOfNode)
      throw new Error('out of range');
    return { hostId, containerId, length };
  }

  #fileOf(uid: string): string {
    return path.join(podDirectory(this.#options.directories, uid), fileName);
  }
}

export const hasOwnUsers = ({ spec }: Pod): boolean => spec?.hostUsers === false;
