/**
 * The other versions of a custom resource: each is a store over the same objects, which decodes, defaults and validates
 * by its own schema and converts on write and read.
 */
import type { CustomResourceDefinition } from '@coxswain/api/apiextensions/v1/index.ts';
import { deepClone, type KubeObject } from '@coxswain/apimachinery';
import type { Awaitable, ResourceForm, Served } from '@coxswain/apiserver';
import type { StoredConversion } from '@coxswain/apiserver/generic-store.ts';
import { applyDefaults, type Kind } from '@coxswain/schema';
import { decodeCustomValue } from '@coxswain/schema/custom/decode.ts';
import type { ConvertObject } from './conversion-webhook.ts';
import { customKind } from './custom-kind.ts';

export const convertsByWebhook = ({ spec }: CustomResourceDefinition): boolean =>
  spec.conversion?.strategy === 'Webhook';

/** The strategy `None`: fields that the other version's schema lacks are lost, and nothing else changes. */
export const relabeled: ConvertObject = (object, apiVersion) =>
  Promise.resolve({ ...deepClone(object), apiVersion });

/**
 * Versions in which objects may still be stored although they are no longer the storage version; the cache keeps them
 * unconverted.
 */
export function formerForms(definition: CustomResourceDefinition): readonly ResourceForm[] {
  const { spec, status } = definition;
  const stored = spec.versions.find(({ storage }) => storage)?.name;
  const former = (status?.storedVersions ?? []).filter((name) => name !== stored);
  return spec.versions
    .filter(({ name }) => former.includes(name))
    .map((version) => ({ kind: customKind(definition, version), isKept: true }));
}

/** The conversion between `served` and the stored version. */
export const storedConversion = (stored: Kind, served: Kind, convert: ConvertObject): StoredConversion => ({
  storedKind: stored,
  work: convert,
  async toStored(object) {
    if (stored.apiVersion === served.apiVersion) return object;
    const converted = pruned(stored, await convert(withoutVersion(object), stored.apiVersion));
    applyDefaults(stored.type, converted);
    return converted;
  },
  fromStored(object) {
    if (object.object.apiVersion === served.apiVersion) return object;
    return convertedForm(object, served, convert);
  },
});

interface Slot {
  converted: Promise<Served> | undefined;
}

/** Cached beside the stored object, so that each object is converted to a version once. */
function convertedForm(stored: Served, served: Kind, convert: ConvertObject): Promise<Served> {
  const name = `converted to ${served.apiVersion}`;
  const slot: Slot = stored.form?.(name, (): Slot => ({ converted: undefined })) ?? { converted: undefined };
  if (slot.converted === undefined) {
    const converting = convertedServed(stored.object, served, convert);
    slot.converted = converting;
    // The next attempt may succeed.
    converting.catch(() => (slot.converted = undefined));
  }
  return slot.converted;
}

async function convertedServed(object: KubeObject, served: Kind, convert: ConvertObject): Promise<Served> {
  const converted = pruned(served, await convert(withoutVersion(object), served.apiVersion));
  const { resourceVersion } = object.metadata;
  if (resourceVersion !== undefined) converted.metadata.resourceVersion = resourceVersion;
  return { object: converted };
}

/** A stored object has no resourceVersion yet. */
function withoutVersion(object: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

const pruned = ({ type }: Kind, object: KubeObject): KubeObject =>
  decodeCustomValue(type, object).object as unknown as KubeObject;

/** For admission, which needs objects in any version. */
export const convertedFor =
  (convert: ConvertObject) =>
  (object: KubeObject, kind: Kind): Awaitable<KubeObject> =>
    object.apiVersion === kind.apiVersion
      ? object
      : convert(object, kind.apiVersion).then((converted) => pruned(kind, converted));
