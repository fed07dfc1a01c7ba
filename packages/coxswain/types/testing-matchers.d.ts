/** The matchers that `expect(cluster)` has once they are installed. */
import type { EventuallyOptions, ObjectName, RequestPattern } from './testing.d.ts';

export interface ClusterMatchers {
  /** Waits in the cluster's time until the object has everything in `wanted`. */
  toEventuallyHave(object: ObjectName, wanted?: object, options?: EventuallyOptions): Promise<void>;
  /** Waits in the cluster's time until the object no longer exists. */
  toEventuallyLack(object: ObjectName, options?: EventuallyOptions): Promise<void>;
  /** Checks that matching requests were made; exactly this many if a number is given. */
  toHaveRequested(pattern: RequestPattern, times?: number): void;
}
