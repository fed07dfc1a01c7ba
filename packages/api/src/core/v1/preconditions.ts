import { pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const Preconditions = struct('core/v1.Preconditions', {
  uid: pointer(1, named('types.UID', string), { go: 'UID' }),
});
export interface Preconditions extends Static<typeof Preconditions> {}
