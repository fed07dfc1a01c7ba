import * as t from '@coxswain/schema';
import { ObjectReference } from '../../core/v1/object-reference.ts';

export const EndpointConditions = t.struct('discovery/v1.EndpointConditions', {
  ready: t.pointer(1, t.bool),
  serving: t.pointer(2, t.bool),
  terminating: t.pointer(3, t.bool),
});
export interface EndpointConditions extends t.Static<typeof EndpointConditions> {}

export const ForZone = t.struct('discovery/v1.ForZone', {
  name: t.always(1, t.string, { required: true }),
});
export interface ForZone extends t.Static<typeof ForZone> {}

export const ForNode = t.struct('discovery/v1.ForNode', {
  name: t.always(1, t.string, { required: true }),
});
export interface ForNode extends t.Static<typeof ForNode> {}

export const EndpointHints = t.struct('discovery/v1.EndpointHints', {
  forZones: t.optional(1, t.atomicList(ForZone)),
  forNodes: t.optional(2, t.atomicList(ForNode), { gate: 'PreferSameTrafficDistribution' }),
});
export interface EndpointHints extends t.Static<typeof EndpointHints> {}

export const Endpoint = t.struct('discovery/v1.Endpoint', {
  addresses: t.always(1, t.listSet(t.string), { required: true }),
  conditions: t.optional(2, EndpointConditions),
  hostname: t.pointer(3, t.string),
  targetRef: t.pointer(4, ObjectReference),
  deprecatedTopology: t.optional(5, t.map(t.string)),
  nodeName: t.pointer(6, t.string),
  zone: t.pointer(7, t.string),
  hints: t.pointer(8, EndpointHints),
});
export interface Endpoint extends t.Static<typeof Endpoint> {}

export const EndpointPort = t.struct(
  'discovery/v1.EndpointPort',
  {
    name: t.pointer(1, t.string, { default: '' }),
    protocol: t.pointer(2, t.named('v1.Protocol', t.oneOf(['TCP', 'UDP', 'SCTP'])), { default: 'TCP' }),
    port: t.pointer(3, t.int32),
    appProtocol: t.pointer(4, t.string),
  },
  { atomic: true },
);
export interface EndpointPort extends t.Static<typeof EndpointPort> {}
