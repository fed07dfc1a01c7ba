/** The objects of a write in the versions that webhooks and policies require; each is converted and encoded once. */
import { internalError, isStatusError, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AdmissionAttributes, Awaitable } from '@coxswain/apiserver';
import { withEmptied } from '@coxswain/schema/decode/emptied.ts';
import { encode } from '@coxswain/schema';
import type { EquivalentForm, EquivalentResources } from './equivalent-resources.ts';
import type { VersionedWrite } from './expression-variables.ts';
import type { MatchedRequest } from './rule-matching.ts';

export interface VersionedObjects extends VersionedWrite {
  readonly form: EquivalentForm;
  /** JSON; `null` if there is no object. */
  objectText(): string;
  oldObjectText(): string;
}

/** The objects of one request by version. */
export class ObjectVersions {
  readonly #attributes: AdmissionAttributes;
  readonly #equivalents: EquivalentResources;
  readonly #versions = new Map<EquivalentForm, Promise<VersionedObjects>>();

  constructor(attributes: AdmissionAttributes, equivalents: EquivalentResources) {
    this.#attributes = attributes;
    this.#equivalents = equivalents;
  }

  /** @throws StatusError 500 when the conversion to that version fails */
  in(matched: MatchedRequest): Promise<VersionedObjects> {
    const form = this.#formOf(matched);
    let made = this.#versions.get(form);
    if (made === undefined) {
      made = this.#made(matched, form);
      this.#versions.set(form, made);
    }
    return made;
  }

  /** Converts from a requested version back to the request's. */
  async backFrom({ form }: VersionedObjects, object: KubeObject): Promise<KubeObject> {
    return converted(object, form, this.#formOf(this.#attributes));
  }

  #formOf({ resource }: Pick<MatchedRequest, 'resource'>): EquivalentForm {
    const form = this.#equivalents.formOf(resource, this.#attributes.subresource);
    if (form !== undefined) return form;
    throw internalError(`unable to convert to ${resource.resource}: unknown kind`);
  }

  async #made(matched: MatchedRequest, form: EquivalentForm): Promise<VersionedObjects> {
    const attributes = this.#attributes;
    const own = this.#formOf(attributes);
    const oldObject = attributes.oldObject && (await converted(attributes.oldObject, own, form));
    const object = attributes.object && (await converted(attributes.object, own, form));
    return versionedObjects(attributes, matched, form, object, oldObject);
  }
}

export function versionedObjects(
  attributes: AdmissionAttributes,
  matched: MatchedRequest,
  form: EquivalentForm,
  object: KubeObject | undefined,
  oldObject: KubeObject | undefined,
): VersionedObjects {
  const textOf = (one: KubeObject | undefined) => {
    let text: string | undefined;
    const write = (whole: KubeObject) => withEmptied(whole, () => encode(form.kind.type, named(whole, form)));
    return () => (text ??= one === undefined ? 'null' : write(one));
  };
  return {
    attributes,
    matched,
    form,
    object,
    oldObject,
    objectText: textOf(object),
    oldObjectText: textOf(oldObject),
  };
}

/** Adds the kind and apiVersion, which stored objects may omit. */
const named = (object: KubeObject, { kind: { kind, apiVersion } }: EquivalentForm): KubeObject =>
  object.kind === kind && object.apiVersion === apiVersion ? object : { ...object, kind, apiVersion };

async function converted(object: KubeObject, from: EquivalentForm, to: EquivalentForm): Promise<KubeObject> {
  if (from === to) return object;
  try {
    return await (from.convert(object, to) as Awaitable<KubeObject>);
  } catch (failure) {
    throw isStatusError(failure) ? failure : internalError(messageOf(failure));
  }
}
