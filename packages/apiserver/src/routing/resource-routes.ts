/** The verb table: group/version → resource/subresource → verb → handler. A path is looked up, not matched. */
import type { Handler } from '../handlers/handler.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { ResourceScope } from '../services/resource-scope.ts';

export interface VerbRoute {
  readonly handler: Handler;
  /** The step's name in traces: `get`, `create`. */
  readonly step: string;
  /** What is done to what: `create configmaps`, `patch pods/status`. */
  readonly label: string;
  readonly metrics: RequestMetrics;
}

export interface ResourceRoutes {
  readonly scope: ResourceScope;
  /** GET, POST, DELETE of the collection. */
  readonly collection: Readonly<Record<string, VerbRoute>>;
  /** GET, PUT, PATCH, DELETE (and connecting methods) of one object, or its subresource. */
  readonly item: Readonly<Record<string, VerbRoute>>;
  /** Whether the path may go on behind the subresource. */
  readonly takesPath: boolean;
}

/** What a group version has. */
export interface VersionRoutes {
  /** A group version has either custom resources or others. */
  readonly isCustom: boolean;
  /** @param path `deployments`, `deployments/scale` */
  get(path: string): ResourceRoutes | undefined;
  all(): Iterable<ResourceRoutes>;
}

/** Key: `apps/v1`, or `v1`. */
export type RouteTable = Map<string, VersionRoutes>;
