/** A view of an object, and what it is given. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import type { ComponentType } from 'preact';

export interface ObjectTabProps {
  readonly kind: ApiResource;
  readonly namespace: string | undefined;
  readonly name: string;
  /** As it is, or was last. */
  readonly object: KubeObject;
  readonly isDeleted: boolean;
}

export interface ObjectTab {
  readonly id: string;
  readonly title: () => string;
  readonly load: () => Promise<{ readonly default: ComponentType<ObjectTabProps> }>;
  /** For all kinds, if undefined. */
  readonly isFor?: (kind: ApiResource) => boolean;
}
