import * as t from '@coxswain/schema';

export const FlowDistinguisherMethod = t.struct('flowcontrol/v1.FlowDistinguisherMethod', {
  type: t.always(1, t.named('v1.FlowDistinguisherMethodType', t.string), { required: true }),
});
export interface FlowDistinguisherMethod extends t.Static<typeof FlowDistinguisherMethod> {}
