import {
  always,
  atomicList,
  int32,
  kind,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ObjectReference } from './object-reference.ts';
import { endpointsColumns } from './endpoints-columns.ts';
import { validateEndpoints } from './endpoints-validation.ts';
import { endpointsWarnings } from './endpoints-warnings.ts';

export const EndpointAddress = struct(
  'core/v1.EndpointAddress',
  {
    ip: always(1, string, { required: true, go: 'IP' }),
    hostname: optional(3, string),
    nodeName: pointer(4, string),
    targetRef: pointer(2, ObjectReference),
  },
  { atomic: true },
);
export interface EndpointAddress extends Static<typeof EndpointAddress> {}

export const EndpointPort = struct(
  'core/v1.EndpointPort',
  {
    name: optional(1, string),
    port: always(2, int32, { required: true }),
    protocol: optional(3, named('v1.Protocol', oneOf(['TCP', 'UDP', 'SCTP'])), { default: 'TCP' }),
    appProtocol: pointer(4, string),
  },
  { atomic: true },
);
export interface EndpointPort extends Static<typeof EndpointPort> {}

export const EndpointSubset = struct('core/v1.EndpointSubset', {
  addresses: optional(1, atomicList(EndpointAddress)),
  notReadyAddresses: optional(2, atomicList(EndpointAddress)),
  ports: optional(3, atomicList(EndpointPort)),
});
export interface EndpointSubset extends Static<typeof EndpointSubset> {}

export const Endpoints = kind(
  'core/v1.Endpoints',
  'v1',
  { plural: 'endpoints', shortNames: ['ep'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    subsets: optional(2, atomicList(EndpointSubset)),
  },
  {
    validate: validateEndpoints,
    warnings: endpointsWarnings,
    columns: endpointsColumns,
  },
);
export interface Endpoints extends Static<typeof Endpoints> {}
