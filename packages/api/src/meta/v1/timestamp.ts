import * as t from '@coxswain/schema';

export const Timestamp = t.struct('meta/v1.Timestamp', {
  seconds: t.always(1, t.int64),
  nanos: t.always(2, t.int32),
});
export interface Timestamp extends t.Static<typeof Timestamp> {}
