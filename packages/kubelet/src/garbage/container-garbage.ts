/** Removes containers and pods that the runtime and the disk still have but nothing needs. */
import type { Clock } from '@coxswain/apimachinery';

export interface DeadContainer {
  readonly id: string;
  readonly podUid: string;
  readonly sandboxId: string;
  readonly name: string;
  readonly createdMs: number;
  readonly isRunning: boolean;
}

export interface FoundSandbox {
  readonly id: string;
  readonly podUid: string;
  readonly createdMs: number;
  readonly isReady: boolean;
}

export interface Garbage {
  readonly containers: readonly string[];
  readonly sandboxes: readonly string[];
}

/** Containers that are being created are unknown until that is done, and not garbage yet. */
const newMs = 60_000;

/** The number of dead containers of each name that a pod keeps for their logs. */
const keptOfEachMax = 1;

export interface GarbageFacts {
  readonly containers: readonly DeadContainer[];
  readonly sandboxes: readonly FoundSandbox[];
  readonly isKnown: (podUid: string) => boolean;
  /** Whether the pod has ended, so that only the logs of its containers matter. */
  readonly hasEnded: (podUid: string) => boolean;
  /** Whether a pod's container record refers to it. */
  readonly isReferred: (containerId: string) => boolean;
  /** Whether the disk is full, so that dead containers are removed together with their logs. */
  readonly isUrgent: boolean;
}

export function garbageOf(facts: GarbageFacts, clock: Clock): Garbage {
  const { isKnown, hasEnded, isUrgent } = facts;
  const isNew = ({ createdMs }: { readonly createdMs: number }) => clock.now() - createdMs < newMs;
  const mayAllGo = (uid: string) => !isKnown(uid) || (isUrgent && hasEnded(uid));
  const dead = facts.containers.filter((each) => !each.isRunning && (isUrgent || !isNew(each)));
  const containers = [...Map.groupBy(dead, ({ podUid, name }) => `${podUid}/${name}`).values()].flatMap(
    (ofName) => {
      if (mayAllGo(ofName[0]!.podUid)) return ofName.map(({ id }) => id);
      const unneeded = ofName
        .filter(({ id }) => !facts.isReferred(id))
        .sort((a, b) => b.createdMs - a.createdMs);
      const referred = ofName.length - unneeded.length;
      return unneeded.slice(Math.max(0, keptOfEachMax - referred)).map(({ id }) => id);
    },
  );
  const gone = new Set(containers);
  const inUse = new Set(facts.containers.filter(({ id }) => !gone.has(id)).map(({ sandboxId }) => sandboxId));
  const byPod = Map.groupBy(facts.sandboxes, ({ podUid }) => podUid);
  const sandboxes = [...byPod].flatMap(([uid, ofPod]) => {
    const newestFirst = [...ofPod].sort((a, b) => b.createdMs - a.createdMs);
    return (mayAllGo(uid) ? newestFirst : newestFirst.slice(1))
      .filter((each) => !each.isReady && !inUse.has(each.id) && !isNew(each))
      .map(({ id }) => id);
  });
  return { containers, sandboxes };
}
