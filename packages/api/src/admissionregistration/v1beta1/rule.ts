import * as t from '@coxswain/schema';
import * as v1 from '../v1/rule.ts';

export const Rule = t.structIn('admissionregistration/v1beta1', v1.Rule, {
  fields: { scope: t.pointer(4, t.string) },
});
export interface Rule extends t.Static<typeof Rule> {}
