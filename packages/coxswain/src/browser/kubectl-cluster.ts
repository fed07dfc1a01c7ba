/** A cluster of a page, as its kubectl sees it. */

import type { Clock } from '@coxswain/apimachinery';
import type { Transport } from '@coxswain/client';
import type { Asked } from '../../types/browser.d.ts';

/** What it asks of a cluster; one user's view is enough. */
export interface KubectlCluster {
  readonly transport: Transport;
  readonly clock: Clock | Asked<Clock>;
}

/** One of this thread. */
export interface LocalCluster extends KubectlCluster {
  readonly clock: Clock;
}
