/** The variable `request` of policies and match conditions. */

import {
  declaredBool,
  declaredDyn,
  declaredList,
  declaredMap,
  declaredObject,
  declaredString,
} from '../types/declared-type.ts';

const groupVersionKind = declaredObject('kubernetes.GroupVersionKind', {
  group: declaredString,
  version: declaredString,
  kind: declaredString,
});

const groupVersionResource = declaredObject('kubernetes.GroupVersionResource', {
  group: declaredString,
  version: declaredString,
  resource: declaredString,
});

const userInfo = declaredObject('kubernetes.UserInfo', {
  username: declaredString,
  uid: declaredString,
  groups: declaredList(declaredString),
  extra: declaredMap(declaredString, declaredList(declaredString)),
});

export const admissionRequestType = declaredObject('kubernetes.AdmissionRequest', {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: declaredString,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: declaredString,
  name: declaredString,
  namespace: declaredString,
  operation: declaredString,
  userInfo,
  dryRun: declaredBool,
  options: declaredDyn,
});
