import * as t from '@coxswain/schema';

export const RootPaths = t.struct('meta/v1.RootPaths', {
  paths: t.always(1, t.atomicList(t.string)),
});
export interface RootPaths extends t.Static<typeof RootPaths> {}
