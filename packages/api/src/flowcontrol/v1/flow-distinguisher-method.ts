import { always, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const FlowDistinguisherMethod = struct('flowcontrol/v1.FlowDistinguisherMethod', {
  type: always(1, named('v1.FlowDistinguisherMethodType', string), { required: true }),
});
export interface FlowDistinguisherMethod extends Static<typeof FlowDistinguisherMethod> {}
