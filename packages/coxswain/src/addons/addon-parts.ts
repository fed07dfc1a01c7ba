/** What the add-ons of a cluster are given to work with. */
import type { InformerFactory, KubeClient } from '@coxswain/client';

export interface AddonParts {
  readonly client: KubeClient;
  readonly informers: InformerFactory;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}
