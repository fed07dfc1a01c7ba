import {
  always,
  int32,
  intOrString,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ServicePort = struct('core/v1.ServicePort', {
  name: optional(1, string),
  protocol: optional(2, named('v1.Protocol', oneOf(['TCP', 'UDP', 'SCTP'])), {
    default: 'TCP',
    defaultPublished: true,
  }),
  appProtocol: pointer(6, string),
  port: always(3, int32, { required: true }),
  targetPort: optional(4, intOrString),
  nodePort: optional(5, int32),
});
export interface ServicePort extends Static<typeof ServicePort> {}
