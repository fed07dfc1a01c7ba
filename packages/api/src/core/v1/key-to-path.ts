import * as t from '@coxswain/schema';

export const KeyToPath = t.struct('core/v1.KeyToPath', {
  key: t.always(1, t.string, { required: true }),
  path: t.always(2, t.string, { required: true }),
  mode: t.pointer(3, t.int32),
});
export interface KeyToPath extends t.Static<typeof KeyToPath> {}
