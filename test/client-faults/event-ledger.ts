/** What the handlers of an informer were told, held against what must be true of any such story. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { EventHandler } from '@coxswain/client';

export class EventLedger {
  /** `uid@resourceVersion` of every state that was told. */
  readonly reported: string[] = [];
  readonly wrong: string[] = [];
  readonly #present = new Map<string, KubeObject>();

  readonly handler: EventHandler<KubeObject> = {
    added: (object) => {
      if (this.#present.has(uidOf(object))) this.wrong.push(`added again: ${stateOf(object)}`);
      this.#note(object);
    },
    updated: (before, after) => {
      const known = this.#present.get(uidOf(after));
      if (known === undefined) this.wrong.push(`updated, and never added: ${stateOf(after)}`);
      else if (stateOf(known) !== stateOf(before)) this.wrong.push(`not what was before: ${stateOf(before)}`);
      if (Number(after.metadata.resourceVersion) <= Number(before.metadata.resourceVersion))
        this.wrong.push(`back in time: ${stateOf(after)}`);
      this.#note(after);
    },
    deleted: (object) => {
      if (!this.#present.delete(uidOf(object))) this.wrong.push(`deleted twice: ${stateOf(object)}`);
    },
  };

  /** The states that remain when all was told. */
  get present(): string[] {
    return [...this.#present.values()].map(stateOf).sort();
  }

  #note(object: KubeObject): void {
    const state = stateOf(object);
    if (this.reported.includes(state)) this.wrong.push(`told twice: ${state}`);
    this.reported.push(state);
    this.#present.set(uidOf(object), object);
  }
}

const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? '';
export const stateOf = ({ metadata }: KubeObject): string => `${metadata.uid}@${metadata.resourceVersion}`;
