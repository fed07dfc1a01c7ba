/** The object of a write in each version that policies require: changed by one policy and read by later ones. */
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { MatchedRequest } from '../rule-matching.ts';
import { ConfigurationProblem } from './collect-params.ts';
import type { PolicyRequest } from './policy-request.ts';

export class ChangingObject {
  readonly matched: MatchedRequest;
  readonly oldObject: KubeObject | undefined;
  #object: KubeObject | undefined;
  #isChanged = false;

  constructor(matched: MatchedRequest, object: KubeObject | undefined, oldObject: KubeObject | undefined) {
    this.matched = matched;
    this.#object = object;
    this.oldObject = oldObject;
  }

  get object(): KubeObject | undefined {
    return this.#object;
  }

  /** Whether the object was replaced, even by an equal one. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  change(object: KubeObject): void {
    this.#object = object;
    this.#isChanged = true;
  }
}

export class ChangingObjects {
  readonly #request: PolicyRequest;
  readonly #known = new Map<string, ChangingObject>();

  constructor(request: PolicyRequest) {
    this.#request = request;
  }

  /** @throws ConfigurationProblem when an object can't be converted */
  async of(matched: MatchedRequest): Promise<ChangingObject> {
    const { group, version, kind } = matched.kind;
    const key = `${group}/${version} ${kind}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { object, oldObject } = this.#request.attributes;
    try {
      const found = new ChangingObject(
        matched,
        await this.#request.converted(object, matched),
        await this.#request.converted(oldObject, matched),
      );
      this.#known.set(key, found);
      return found;
    } catch (failure) {
      throw new ConfigurationProblem(messageOf(failure), { cause: failure });
    }
  }
}
