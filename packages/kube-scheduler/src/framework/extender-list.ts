/** All extenders of a scheduler, called in order: each only sees what the ones before it let pass. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { NodeToStatus } from './node-to-status.ts';
import { unresolvable, unschedulable, type Rejection } from '../status.ts';
import type { Extender, NodesByName, VictimsByNode } from './extender.ts';

export interface ExtenderFailure {
  readonly extender: string;
  readonly error: Error;
}

export class ExtenderList {
  /** Ignorable ones come last. */
  readonly #extenders: readonly Extender[];
  readonly #passedOver: (failure: ExtenderFailure) => void;

  /** @param passedOver called with failures of extenders that are ignorable or only score */
  constructor(extenders: readonly Extender[], passedOver: (failure: ExtenderFailure) => void = () => {}) {
    this.#extenders = extenders.toSorted((a, b) => Number(a.isIgnorable) - Number(b.isIgnorable));
    this.#passedOver = passedOver;
  }

  get canFilter(): boolean {
    return this.#extenders.some(({ filter }) => filter !== undefined);
  }

  get canScore(): boolean {
    return this.#extenders.some(({ prioritize }) => prioritize !== undefined);
  }

  /**
   * Returns the nodes that all extenders let pass, and records in `statuses` why others fail. @throws the error of an
   * extender that isn't ignorable
   */
  async filter(
    pod: Pod,
    nodes: readonly NodeInfo[],
    statuses: Pick<NodeToStatus, 'set'>,
  ): Promise<readonly NodeInfo[]> {
    let fitting = nodes;
    for (const extender of this.#interested(pod)) {
      if (fitting.length === 0) break;
      const asked = fitting;
      const answer = await this.#unlessIgnorable(extender, () => extender.filter?.(pod, asked));
      if (answer === undefined) continue;
      const reported = refusalsOf(answer.failed, answer.unresolvable);
      for (const node of nodes) {
        const refusal = reported.get(node.name);
        if (refusal !== undefined) statuses.set(node, refusal);
      }
      fitting = answer.fitting;
    }
    return fitting;
  }

  /** Returns what the extenders add to the nodes' scores; one that fails adds nothing. */
  async prioritize(
    pod: Pod,
    nodes: readonly NodeInfo[],
  ): Promise<readonly { readonly extender: string; readonly scores: readonly number[] }[]> {
    const asked = this.#interested(pod).map(async (extender) => {
      try {
        const scores = await extender.prioritize?.(pod, nodes);
        return scores && { extender: extender.name, scores: nodes.map(({ name }) => scores.get(name) ?? 0) };
      } catch (failure) {
        this.#passedOver({ extender: extender.name, error: failure as Error });
        return undefined;
      }
    });
    return (await Promise.all(asked)).filter((part) => part !== undefined);
  }

  /** Returns the remaining candidates for preemption. @throws the error of an extender that isn't ignorable */
  async preempt(pod: Pod, candidates: VictimsByNode, nodes: NodesByName): Promise<VictimsByNode> {
    let left = candidates;
    for (const extender of this.#interested(pod)) {
      if (left.size === 0) break;
      const asked = left;
      const answer = await this.#unlessIgnorable(extender, () => extender.preempt?.(pod, asked, nodes));
      if (answer !== undefined) left = withVictims(answer, extender.isIgnorable);
    }
    return left;
  }

  /** Whether an extender has bound the pod. @throws the error of an extender that isn't ignorable */
  async bind(pod: Pod, nodeName: string): Promise<boolean> {
    for (const extender of this.#interested(pod)) {
      const bind = async () => {
        await extender.bind?.(pod, nodeName);
        return extender.bind !== undefined;
      };
      if (await this.#unlessIgnorable(extender, bind)) return true;
    }
    return false;
  }

  async close(): Promise<void> {
    await Promise.all(this.#extenders.map((extender) => extender.close?.()));
  }

  #interested = (pod: Pod): readonly Extender[] =>
    this.#extenders.filter((extender) => extender.isInterested(pod));

  async #unlessIgnorable<T>(
    { name, isIgnorable }: Extender,
    ask: () => Promise<T> | undefined,
  ): Promise<T | undefined> {
    try {
      return await ask();
    } catch (failure) {
      if (!isIgnorable) throw failure;
      this.#passedOver({ extender: name, error: failure as Error });
      return undefined;
    }
  }
}

/** A node listed both as failed and as unresolvable counts as unresolvable. */
function refusalsOf(
  failed: Readonly<Record<string, string>>,
  beyondHelp: Readonly<Record<string, string>>,
): ReadonlyMap<string, Rejection> {
  return new Map([
    ...Object.entries(failed).map(([node, reason]) => [node, unschedulable(reason)] as const),
    ...Object.entries(beyondHelp).map(([node, reason]) => [node, unresolvable(reason)] as const),
  ]);
}

function withVictims(answer: VictimsByNode, isIgnorable: boolean): VictimsByNode {
  const entries = [...answer];
  const empty = entries.find(([, { victims }]) => victims.length === 0);
  if (empty !== undefined && !isIgnorable)
    throw new Error(`expected at least one victim pod on node "${empty[0]}"`);
  return new Map(entries.filter(([, { victims }]) => victims.length > 0));
}
