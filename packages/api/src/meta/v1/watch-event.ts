import * as t from '@coxswain/schema';

export const WatchEvent = t.struct('meta/v1.WatchEvent', {
  type: t.always(1, t.string, { required: true }),
  object: t.always(2, t.rawExtension, { required: true }),
});
export interface WatchEvent extends t.Static<typeof WatchEvent> {}
