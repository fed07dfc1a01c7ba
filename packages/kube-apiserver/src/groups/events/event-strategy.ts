import type { Strategy } from '@coxswain/apiserver';
import type { Services } from '../services.ts';
import type { AnyObject } from '../any-object.ts';

/** Events expire after a while. */
export const eventStrategy: Partial<Strategy<AnyObject>> = {
  allowCreateOnUpdate: true,
  defaultGarbageCollection: 'unsupported',
};

export const eventLifetime = ({ eventTtlSeconds }: Services): Partial<Strategy<AnyObject>> => ({
  timeToLiveSeconds: () => eventTtlSeconds,
});
