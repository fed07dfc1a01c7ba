/** Ways to write conversions between versions of a kind, and to make of them what endpoints use. */
import { deepClone, type KubeObject } from '@coxswain/apimachinery';
import type { Conversion } from '@coxswain/apiserver';
import { defaultObject } from '@coxswain/apiserver/handlers/body/decode-body.ts';
import type { Kind } from '@coxswain/schema';
import type { OtherVersion } from './resource.ts';
import type { AnyObject } from './any-object.ts';

/** What both ways do besides exchanging apiVersion; they get a copy of the upper level and may modify that. */
export interface Changes {
  readonly toStorage: (object: AnyObject) => void;
  readonly fromStorage: (object: AnyObject) => void;
}

/** A conversion whose shapes differ in a few members. */
export const changing = (storage: Kind, other: Kind, changes: Changes): Conversion => ({
  toStorage: (object) => changed(object, storage, changes.toStorage),
  fromStorage: (object) => changed(object, other, changes.fromStorage),
});

function changed(
  object: KubeObject,
  { kind, apiVersion }: Kind,
  change: (object: AnyObject) => void,
): KubeObject {
  const copy: AnyObject = { ...(object as AnyObject), kind, apiVersion };
  change(copy);
  return copy;
}

/**
 * The conversion of a version that isn't the stored one's contemporary: what it doesn't know gets the stored
 * version's defaults, as the original gives them to whatever it reads from its store.
 */
export function legacyConversion(storage: Kind, { kind, conversion }: OtherVersion): Conversion {
  const { toStorage, fromStorage } = conversion ?? changing(storage, kind, nothing);
  return {
    toStorage(object) {
      const converted = deepClone(toStorage(object));
      defaultObject(storage, converted, 0);
      return converted;
    },
    fromStorage,
  };
}

const nothing: Changes = { toStorage: () => undefined, fromStorage: () => undefined };

/** The object's annotations with one set, or taken away when `value` is undefined; a new map. */
export function annotate(object: AnyObject, name: string, value: string | undefined): void {
  const { [name]: _, ...others } = object.metadata.annotations ?? {};
  const annotations = value === undefined ? others : { ...others, [name]: value };
  const { annotations: _before, ...metadata } = object.metadata;
  object.metadata = Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
}
