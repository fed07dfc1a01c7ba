/** The policies of the second round: those that want to be reinvoked if something changed after them. */
import { deepClone, deepEqual, type KubeObject } from '@coxswain/apimachinery';
import {
  reinvocationOf,
  type AdmissionAttributes,
  type Reinvocation,
} from '@coxswain/apiserver/admission/plugin.ts';

const note = 'MutatingAdmissionPolicy';

export class PolicyReinvocation {
  readonly #attributes: AdmissionAttributes;
  readonly #round: Reinvocation;
  #lastObject: KubeObject | undefined;
  readonly #invoked = new Set<string>();
  readonly #again = new Set<string>();

  private constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
    this.#round = reinvocationOf(attributes);
  }

  static of(attributes: AdmissionAttributes): PolicyReinvocation {
    const { notes } = reinvocationOf(attributes);
    let found = notes.get(note) as PolicyReinvocation | undefined;
    if (found === undefined) notes.set(note, (found = new PolicyReinvocation(attributes)));
    return found;
  }

  begin(): void {
    const isChanged = !deepEqual(this.#lastObject, this.#attributes.object);
    if (this.#round.isSecondRound && isChanged) this.#askAgain();
  }

  /** Whether the policy runs in this round. */
  takes(key: string): boolean {
    return !this.#round.isSecondRound || this.#again.has(key);
  }

  noteChange(): void {
    this.#askAgain();
    this.#round.isWanted = true;
  }

  noteInvoked(key: string): void {
    this.#invoked.add(key);
  }

  end(): void {
    const { object } = this.#attributes;
    this.#lastObject = object === undefined ? undefined : deepClone(object);
  }

  #askAgain(): void {
    for (const key of this.#invoked) this.#again.add(key);
    this.#invoked.clear();
  }
}
