/** The variable `namespaceObject` of policies. */

import {
  declaredInt,
  declaredList,
  declaredMap,
  declaredObject,
  declaredString,
  declaredTimestamp,
} from '../types/declared-type.ts';

const condition = declaredObject('kubernetes.NamespaceCondition', {
  status: declaredString,
  type: declaredString,
  lastTransitionTime: declaredTimestamp,
  message: declaredString,
  reason: declaredString,
});

const metadata = declaredObject('kubernetes.NamespaceMetadata', {
  name: declaredString,
  generateName: declaredString,
  namespace: declaredString,
  labels: declaredMap(declaredString, declaredString),
  annotations: declaredMap(declaredString, declaredString),
  UID: declaredString,
  creationTimestamp: declaredTimestamp,
  deletionGracePeriodSeconds: declaredInt,
  deletionTimestamp: declaredTimestamp,
  generation: declaredInt,
  resourceVersion: declaredString,
  finalizers: declaredList(declaredString),
});

export const namespaceType = declaredObject('kubernetes.Namespace', {
  metadata,
  spec: declaredObject('kubernetes.NamespaceSpec', { finalizers: declaredList(declaredString) }),
  status: declaredObject('kubernetes.NamespaceStatus', {
    conditions: declaredList(condition),
    phase: declaredString,
  }),
});
