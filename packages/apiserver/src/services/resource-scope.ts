/** All that handlers need to know of the endpoint they serve; made once, when it is installed. */
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
  /** What bodies and answers are in this version. */
  readonly kind: Kind;
  /** What bodies of a create are, where it isn't `kind`. */
  readonly bodyKinds: readonly Kind[];
  /** Of a custom resource: in which versions it can be read at all, though only `kind` is taken. */
  readonly knownKinds: readonly Kind[];
  /** Whether `kind` is the storage's own, so that stored bytes are answers. */
  readonly identity: boolean;
  readonly toStorage: (object: KubeObject) => KubeObject;
  readonly fromStorage: (object: KubeObject) => KubeObject;
  readonly negotiation: NegotiationScope;
  readonly table: TableSource;
  readonly fields: FieldManagement | undefined;
  /** Whether items of lists say their kind, as those of custom resources do. */
  readonly itemsHaveKind: boolean;
  /** Whether a definition made the resource. */
  readonly isCustom: boolean;
  readonly deprecation: string | undefined;
  readonly watchMetrics: WatchMetrics;
  readonly services: ServerServices;
}
