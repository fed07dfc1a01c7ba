/** The variable `device` in the selectors of device classes and claims. */

import {
  declaredBool,
  declaredDyn,
  declaredMap,
  declaredObject,
  declaredString,
  type DeclaredType,
} from '../types/declared-type.ts';
import { anyType, structType } from '../types/type.ts';

const sized = (type: DeclaredType, elementsMax: number): DeclaredType => ({ ...type, elementsMax });

/** The API's limits, in characters or entries. */
const domainLengthMax = 63;
const nameLengthMax = 32;
const driverLengthMax = 63;
const attributeLengthMax = 64;
const attributesMax = 32;

const domain = sized(declaredString, domainLengthMax);
const name = sized(declaredString, nameLengthMax);
const quantity: DeclaredType = {
  type: structType('kubernetes.Quantity'),
  elementsMax: 0,
  serializedSizeMin: 8,
};
const attribute = sized({ ...declaredDyn, type: anyType }, attributeLengthMax);

export const deviceType = declaredObject('kubernetes.DRADevice', {
  driver: sized(declaredString, driverLengthMax),
  attributes: declaredMap(domain, declaredMap(name, attribute, attributesMax), attributesMax),
  capacity: declaredMap(domain, declaredMap(name, quantity, attributesMax), attributesMax),
  allowMultipleAllocations: sized(declaredBool, 1),
});
