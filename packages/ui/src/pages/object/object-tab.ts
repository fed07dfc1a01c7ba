/** A view of an object, and its properties. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import type { ComponentType } from 'preact';

export interface ObjectTabProps {
  readonly kind: ApiResource;
  readonly namespace: string | undefined;
  readonly name: string;
  /** The object in its current or last known state. */
  readonly object: KubeObject;
  readonly isDeleted: boolean;
}

export interface ObjectTab {
  readonly id: string;
  readonly title: () => string;
  readonly load: () => Promise<{ readonly default: ComponentType<ObjectTabProps> }>;
  /** All kinds if undefined. */
  readonly isFor?: (kind: ApiResource) => boolean;
}
