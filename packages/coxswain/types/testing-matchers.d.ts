/** What `expect(cluster)` can be asked once the matchers are there. */
import type { EventuallyOptions, ObjectName, RequestPattern } from './testing.d.ts';

export interface ClusterMatchers {
  /** Waits in the cluster's time until the object has all that is in `wanted`. */
  toEventuallyHave(object: ObjectName, wanted?: object, options?: EventuallyOptions): Promise<void>;
  /** Waits in the cluster's time until there is no such object. */
  toEventuallyLack(object: ObjectName, options?: EventuallyOptions): Promise<void>;
  /** Whether such requests were made; so many of them, when a number is given. */
  toHaveRequested(pattern: RequestPattern, times?: number): void;
}
