import * as t from '@coxswain/schema';

export const ServicePort = t.struct('core/v1.ServicePort', {
  name: t.optional(1, t.string),
  protocol: t.optional(2, t.named('v1.Protocol', t.oneOf(['TCP', 'UDP', 'SCTP'])), {
    default: 'TCP',
    defaultPublished: true,
  }),
  appProtocol: t.pointer(6, t.string),
  port: t.always(3, t.int32, { required: true }),
  targetPort: t.optional(4, t.intOrString),
  nodePort: t.optional(5, t.int32),
});
export interface ServicePort extends t.Static<typeof ServicePort> {}
