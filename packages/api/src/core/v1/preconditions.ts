import * as t from '@coxswain/schema';

export const Preconditions = t.struct('core/v1.Preconditions', {
  uid: t.pointer(1, t.named('types.UID', t.string), { go: 'UID' }),
});
export interface Preconditions extends t.Static<typeof Preconditions> {}
