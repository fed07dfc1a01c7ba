/** Everything that handlers need to know about their endpoint; created when it is installed. */
import type { GroupResource, KubeObject } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema';
import type { FieldManagement } from '../field-management.ts';
import type { WatchMetrics } from '../metrics/watch-metrics.ts';
import type { NegotiationScope } from '../negotiation/negotiate.ts';
import type { RestStorage } from '../rest/storage.ts';
import type { TableSource } from '../rest/table.ts';
import type { ServerServices } from './services.ts';

export interface ResourceScope {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly groupResource: GroupResource;
  readonly namespaced: boolean;
  readonly storage: RestStorage;
  /** The kind of bodies and responses in this version. */
  readonly kind: Kind;
  /** The kinds of create bodies, if they differ from `kind`. */
  readonly bodyKinds: readonly Kind[];
  /** For a custom resource: the versions that can be read at all, though only `kind` is accepted. */
  readonly knownKinds: readonly Kind[];
  /** Whether `kind` is the storage's own, so that stored bytes can be sent unchanged. */
  readonly identity: boolean;
  readonly toStorage: (object: KubeObject) => KubeObject;
  readonly fromStorage: (object: KubeObject) => KubeObject;
  readonly negotiation: NegotiationScope;
  readonly table: TableSource;
  readonly fields: FieldManagement | undefined;
  /** Whether items of lists include their kind, as those of custom resources do. */
  readonly itemsHaveKind: boolean;
  /** Whether a CustomResourceDefinition defines the resource. */
  readonly isCustom: boolean;
  readonly deprecation: string | undefined;
  readonly watchMetrics: WatchMetrics;
  readonly services: ServerServices;
}
