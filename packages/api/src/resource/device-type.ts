/** The type of `device` in device selectors, with the maximum sizes of its parts. */

import {
  anyType,
  declaredBool,
  declaredDyn,
  declaredMap,
  declaredObject,
  declaredString,
  sizeHintsOf,
  structType,
  type DeclaredType,
  type SizeHints,
} from '@coxswain/cel';

const driverNameLengthMax = 63;
const domainLengthMax = 63;
const identifierLengthMax = 32;
const attributeLengthMax = 64;
const propertiesMax = 32;

const sized = (type: DeclaredType, elementsMax: number): DeclaredType => ({ ...type, elementsMax });

const domain = sized(declaredString, domainLengthMax);
const identifier = sized(declaredString, identifierLengthMax);
const attribute: DeclaredType = { ...sized(declaredDyn, attributeLengthMax), type: anyType };
const amount: DeclaredType = { ...declaredDyn, type: structType('kubernetes.Quantity') };

/** By domain, then by name. */
const byName = (value: DeclaredType): DeclaredType =>
  declaredMap(domain, declaredMap(identifier, value, propertiesMax), propertiesMax);

export const deviceType = declaredObject('kubernetes.DRADevice', {
  driver: sized(declaredString, driverNameLengthMax),
  allowMultipleAllocations: sized(declaredBool, 1),
  attributes: byName(attribute),
  capacity: byName(amount),
});

const declaredSizes = sizeHintsOf(deviceType);
const attributesDepth = 3;

/** Attributes have their maximum size, however they are accessed: `device.attributes['a'].model`. */
export const deviceSizes: SizeHints = {
  sizeAt(path) {
    const known = declaredSizes.sizeAt(path);
    if (known !== undefined || path[1] !== 'attributes' || path.length <= attributesDepth) return known;
    const isValue = path[attributesDepth - 1] === '@values' && !path[attributesDepth]!.startsWith('@');
    return isValue ? { min: 0, max: attributeLengthMax } : undefined;
  },
};
