/** The way between the versions of a custom resource that convert by `None`: nothing but the version changes. */
import { deepClone } from '@coxswain/apimachinery';
import type { KubeObject } from '@coxswain/apimachinery';
import type { Conversion } from '@coxswain/apiserver';
import { applyDefaults } from '@coxswain/schema';
import type { Kind } from '@coxswain/schema';
import { decodeCustomValue } from '@coxswain/schema/custom/decode.ts';

/**
 * What the other version's schema doesn't have is lost on either way. What is stored gets the stored version's
 * defaults; what is read in another version gets none of that one's.
 */
export const customConversion = (stored: Kind, served: Kind): Conversion => ({
  toStorage(object) {
    const converted = pruned(stored, object);
    applyDefaults(stored.type, converted);
    return converted;
  },
  fromStorage: (object) => pruned(served, object),
});

const pruned = ({ type, apiVersion }: Kind, object: KubeObject): KubeObject =>
  decodeCustomValue(type, { ...deepClone(object), apiVersion }).object as unknown as KubeObject;
