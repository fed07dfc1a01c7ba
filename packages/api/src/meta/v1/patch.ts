import * as t from '@coxswain/schema';

export const Patch = t.struct('meta/v1.Patch', {});
export interface Patch extends t.Static<typeof Patch> {}
