/** Helpers for conversions between versions of a kind. */
import { deepClone, type KubeObject } from '@coxswain/apimachinery';
import type { Conversion } from '@coxswain/apiserver';
import { defaultObject } from '@coxswain/apiserver/handlers/body/decode-body.ts';
import type { Kind } from '@coxswain/schema';
import type { OtherVersion } from './resource.ts';
import type { AnyObject } from './any-object.ts';

/** The changes in each direction besides apiVersion; they receive a shallow copy, which they may modify. */
export interface Changes {
  readonly toStorage: (object: AnyObject) => void;
  readonly fromStorage: (object: AnyObject) => void;
}

/** A conversion between versions that differ in a few members. */
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
 * The conversion of an older version: fields that it doesn't have get the stored version's defaults, as upstream
 * applies them to everything that it reads from its store.
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

/** Returns a new map of the object's annotations with one set, or removed if `value` is undefined. */
export function annotate(object: AnyObject, name: string, value: string | undefined): void {
  const { [name]: _, ...others } = object.metadata.annotations ?? {};
  const annotations = value === undefined ? others : { ...others, [name]: value };
  const { annotations: _before, ...metadata } = object.metadata;
  object.metadata = Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
}
