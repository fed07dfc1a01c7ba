/** The objects that an action is for, and what its dialog tells. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';

export interface ChosenObjects {
  readonly kind: ApiResource;
  readonly rows: readonly KubeObject[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}
