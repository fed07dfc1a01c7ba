import { always, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const FlowDistinguisherMethod = struct('flowcontrol/v1.FlowDistinguisherMethod', {
  type: always(1, string, { required: true }),
});
export interface FlowDistinguisherMethod extends Static<typeof FlowDistinguisherMethod> {}
