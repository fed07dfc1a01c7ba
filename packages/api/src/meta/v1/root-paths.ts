import { always, atomicList, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const RootPaths = struct('meta/v1.RootPaths', {
  paths: always(1, atomicList(string)),
});
export interface RootPaths extends Static<typeof RootPaths> {}
