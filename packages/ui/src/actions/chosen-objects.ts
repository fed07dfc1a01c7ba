import type { ApiResource } from '@coxswain/client';

import type { KubeObject } from '@coxswain/apimachinery';
export interface ChosenObjects {
  readonly kind: ApiResource;
  readonly rows: readonly KubeObject[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}
