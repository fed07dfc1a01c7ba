/** What the runtime and the disk still have of containers and pods that nobody needs any more. */
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

/** What is being made is not garbage yet, although nobody knows it: that is told after it was made. */
const newMs = 60_000;

/** Of what a pod has run, so many dead containers of each name are kept for their logs. */
const keptOfEachMax = 1;

export interface GarbageFacts {
  readonly containers: readonly DeadContainer[];
  readonly sandboxes: readonly FoundSandbox[];
  readonly isKnown: (podUid: string) => boolean;
  /** The pod has ended: of its containers only the logs are of interest. */
  readonly hasEnded: (podUid: string) => boolean;
  /** Some container record of a pod refers to it. */
  readonly isReferred: (containerId: string) => boolean;
  /** The disk is full: what has ended goes, logs and all. */
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
