import * as t from '@coxswain/schema';
import { ObjectReference } from './object-reference.ts';

export const EndpointAddress = t.struct(
  'core/v1.EndpointAddress',
  {
    ip: t.always(1, t.string, { required: true, go: 'IP' }),
    hostname: t.optional(3, t.string),
    nodeName: t.pointer(4, t.string),
    targetRef: t.pointer(2, ObjectReference),
  },
  { atomic: true },
);
export interface EndpointAddress extends t.Static<typeof EndpointAddress> {}

export const EndpointPort = t.struct(
  'core/v1.EndpointPort',
  {
    name: t.optional(1, t.string),
    port: t.always(2, t.int32, { required: true }),
    protocol: t.optional(3, t.named('v1.Protocol', t.oneOf(['TCP', 'UDP', 'SCTP'])), { default: 'TCP' }),
    appProtocol: t.pointer(4, t.string),
  },
  { atomic: true },
);
export interface EndpointPort extends t.Static<typeof EndpointPort> {}

export const EndpointSubset = t.struct('core/v1.EndpointSubset', {
  addresses: t.optional(1, t.atomicList(EndpointAddress)),
  notReadyAddresses: t.optional(2, t.atomicList(EndpointAddress)),
  ports: t.optional(3, t.atomicList(EndpointPort)),
});
export interface EndpointSubset extends t.Static<typeof EndpointSubset> {}
