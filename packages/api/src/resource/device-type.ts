/** `device` in the expressions that choose devices, with the sizes that its parts can have. */

import {
  anyType,
  declaredBool,
  declaredDyn,
  declaredMap,
  declaredObject,
  declaredString,
  structType,
} from '@coxswain/cel';
import type { DeclaredType } from '@coxswain/cel';

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

/** By domain, and by name within it. */
const byName = (value: DeclaredType): DeclaredType =>
  declaredMap(domain, declaredMap(identifier, value, propertiesMax), propertiesMax);

export const deviceType = declaredObject('kubernetes.DRADevice', {
  driver: sized(declaredString, driverNameLengthMax),
  allowMultipleAllocations: sized(declaredBool, 1),
  attributes: byName(attribute),
  capacity: byName(amount),
});
