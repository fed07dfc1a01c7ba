import * as t from '@coxswain/schema';
import { ObjectReference } from '../core/v1/object-reference.ts';
import * as v1 from './v1/index.ts';

export const EndpointConditions = t.structIn('discovery/v1beta1', v1.EndpointConditions);
export interface EndpointConditions extends t.Static<typeof EndpointConditions> {}

export const ForZone = t.struct('discovery/v1beta1.ForZone', {
  name: t.always(1, t.string),
});
export interface ForZone extends t.Static<typeof ForZone> {}

export const ForNode = t.struct('discovery/v1beta1.ForNode', {
  name: t.always(1, t.string),
});
export interface ForNode extends t.Static<typeof ForNode> {}

export const EndpointHints = t.struct('discovery/v1beta1.EndpointHints', {
  forZones: t.optional(1, t.atomicList(ForZone)),
  forNodes: t.optional(2, t.atomicList(ForNode)),
});
export interface EndpointHints extends t.Static<typeof EndpointHints> {}

export const Endpoint = t.struct('discovery/v1beta1.Endpoint', {
  addresses: t.always(1, t.listSet(t.string)),
  conditions: t.optional(2, EndpointConditions),
  hostname: t.pointer(3, t.string),
  targetRef: t.pointer(4, ObjectReference),
  topology: t.optional(5, t.map(t.string)),
  nodeName: t.pointer(6, t.string),
  hints: t.pointer(7, EndpointHints, { gate: 'TopologyAwareHints' }),
});
export interface Endpoint extends t.Static<typeof Endpoint> {}

export const EndpointPort = t.struct('discovery/v1beta1.EndpointPort', {
  name: t.pointer(1, t.string, { default: '' }),
  protocol: t.pointer(2, t.named('v1.Protocol', t.string), { default: 'TCP' }),
  port: t.pointer(3, t.int32),
  appProtocol: t.pointer(4, t.string),
});
export interface EndpointPort extends t.Static<typeof EndpointPort> {}

export const EndpointSlice = t.kindIn('discovery/v1beta1', v1.EndpointSlice, {
  fields: {
    addressType: t.always(4, t.named('v1beta1.AddressType', t.string)),
    endpoints: t.always(2, t.atomicList(Endpoint)),
    ports: t.always(3, t.atomicList(EndpointPort)),
  },
  shared: ['columns'],
});
export interface EndpointSlice extends t.Static<typeof EndpointSlice> {}
