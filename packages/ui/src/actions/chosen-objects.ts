/** The objects that an action applies to, and what its dialog displays. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';

export interface ChosenObjects {
  readonly kind: ApiResource;
  readonly rows: readonly KubeObject[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}
