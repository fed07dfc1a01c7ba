import {
  always,
  atomicList,
  bool,
  int32,
  kind,
  listSet,
  map,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ObjectReference } from '../../core/v1/object-reference.ts';
import { sliceColumns } from '../v1/endpoint-slice-columns.ts';

export const EndpointConditions = struct('discovery/v1beta1.EndpointConditions', {
  ready: pointer(1, bool),
  serving: pointer(2, bool),
  terminating: pointer(3, bool),
});
export interface EndpointConditions extends Static<typeof EndpointConditions> {}

export const ForZone = struct('discovery/v1beta1.ForZone', {
  name: always(1, string),
});
export interface ForZone extends Static<typeof ForZone> {}

export const ForNode = struct('discovery/v1beta1.ForNode', {
  name: always(1, string),
});
export interface ForNode extends Static<typeof ForNode> {}

export const EndpointHints = struct('discovery/v1beta1.EndpointHints', {
  forZones: optional(1, atomicList(ForZone)),
  forNodes: optional(2, atomicList(ForNode)),
});
export interface EndpointHints extends Static<typeof EndpointHints> {}

export const Endpoint = struct('discovery/v1beta1.Endpoint', {
  addresses: always(1, listSet(string)),
  conditions: optional(2, EndpointConditions),
  hostname: pointer(3, string),
  targetRef: pointer(4, ObjectReference),
  topology: optional(5, map(string)),
  nodeName: pointer(6, string),
  hints: pointer(7, EndpointHints, { gate: 'TopologyAwareHints' }),
});
export interface Endpoint extends Static<typeof Endpoint> {}

export const EndpointPort = struct('discovery/v1beta1.EndpointPort', {
  name: pointer(1, string, { default: '' }),
  protocol: pointer(2, named('v1.Protocol', string), { default: 'TCP' }),
  port: pointer(3, int32),
  appProtocol: pointer(4, string),
});
export interface EndpointPort extends Static<typeof EndpointPort> {}

export const EndpointSlice = kind(
  'discovery/v1beta1.EndpointSlice',
  'discovery.k8s.io/v1beta1',
  { plural: 'endpointslices', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    addressType: always(4, named('v1beta1.AddressType', string)),
    endpoints: always(2, atomicList(Endpoint)),
    ports: always(3, atomicList(EndpointPort)),
  },
  {
    columns: sliceColumns,
  },
);
export interface EndpointSlice extends Static<typeof EndpointSlice> {}
