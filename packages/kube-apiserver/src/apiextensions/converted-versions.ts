/**
 * The other versions of a custom resource: each is a store over the same objects, which decodes, defaults and validates
 * by its own schema and converts on write and read.
 */
import type { CustomResourceDefinition } from '@coxswain/api/apiextensions/v1/index.ts';
import { deepClone, type KubeObject } from '@coxswain/apimachinery';
import { AllowanceSpent } from '@coxswain/apimachinery/work-allowance.ts';
import type { Awaitable, ResourceForm, Served } from '@coxswain/apiserver';
import type { StoredConversion } from '@coxswain/apiserver/generic-store.ts';
import { applyDefaults, type Kind } from '@coxswain/schema';
import { decodeCustomValue } from '@coxswain/schema/custom/decode.ts';
import type { Asker } from '../webhooks/answer-for.ts';
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
export const storedConversion = (
  stored: Kind,
  served: Kind,
  convert: ConvertObject,
  isElsewhere: boolean,
): StoredConversion => ({
  storedKind: stored,
  isElsewhere,
  work: convert,
  async toStored(object, request) {
    if (stored.apiVersion === served.apiVersion) return object;
    const converted = pruned(stored, await convert(withoutVersion(object), stored.apiVersion, request));
    applyDefaults(stored.type, converted);
    return converted;
  },
  fromStored(object, request) {
    if (object.object.apiVersion === served.apiVersion) return object;
    return convertedForm(object, served, convert, request);
  },
});

interface Slot {
  converted: Promise<Converted> | undefined;
}

interface Converted extends Served {
  /** Whether returning it would keep others waiting. */
  readonly isLarge: boolean;
}

/** Cached beside the stored object, so that each object is converted to a version once. */
async function convertedForm(
  stored: Served,
  served: Kind,
  convert: ConvertObject,
  request: Asker | undefined,
): Promise<Served> {
  const name = `converted to ${served.apiVersion}`;
  const slot: Slot = stored.form?.(name, (): Slot => ({ converted: undefined })) ?? { converted: undefined };
  const isLimited = request?.allowance !== undefined;
  for (;;) {
    const isOwn = slot.converted === undefined;
    if (slot.converted === undefined) {
      const converting = convertedServed(stored.object, served, convert, request);
      slot.converted = converting;
      // The next attempt may succeed.
      converting.catch(() => (slot.converted = undefined));
    }
    try {
      const converted = await slot.converted;
      if (isLimited && converted.isLarge) throw new AllowanceSpent();
      return converted;
    } catch (failure) {
      // Another request began it, and could spend less on it.
      if (isLimited || isOwn || !(failure instanceof AllowanceSpent)) throw failure;
    }
  }
}

async function convertedServed(
  object: KubeObject,
  served: Kind,
  convert: ConvertObject,
  request: Asker | undefined,
): Promise<Converted> {
  const converted = pruned(served, await convert(withoutVersion(object), served.apiVersion, request));
  const { resourceVersion } = object.metadata;
  if (resourceVersion !== undefined) converted.metadata.resourceVersion = resourceVersion;
  return { object: converted, isLarge: isLarge(converted) };
}

/** The members, and the characters of text, that the main thread writes in passing. */
const membersHereMax = 5_000;
const charactersPerMember = 50;

function isLarge(object: KubeObject): boolean {
  let left = membersHereMax;
  const waiting: unknown[] = [object];
  while (waiting.length > 0 && left > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') left -= value.length / charactersPerMember;
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    left -= members.length;
    if (left > 0) waiting.push(...members);
  }
  return left <= 0;
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
