/** A page's cluster as its kubectl sees it. */

import type { Clock } from '@coxswain/apimachinery';
import type { Transport } from '@coxswain/client';
import type { Asked } from '../../types/browser.d.ts';

/** What kubectl needs from a cluster; the view of a single user is enough. */
export interface KubectlCluster {
  readonly transport: Transport;
  readonly clock: Clock | Asked<Clock>;
}

/** A cluster in the same thread. */
export interface LocalCluster extends KubectlCluster {
  readonly clock: Clock;
}
