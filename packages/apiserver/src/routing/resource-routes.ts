/**
 * The verb table: group/version → resource/subresource → verb → handler. Routes are found by lookup, not by pattern
 * matching.
 */
import type { Handler } from '../handlers/handler.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { ResourceScope } from '../services/resource-scope.ts';

export interface VerbRoute {
  readonly handler: Handler;
  /** The step's name in traces: `get`, `create`. */
  readonly step: string;
  /** The operation and its resource: `create configmaps`, `patch pods/status`. */
  readonly label: string;
  readonly metrics: RequestMetrics;
}

export interface ResourceRoutes {
  readonly scope: ResourceScope;
  /** GET, POST, DELETE of the collection. */
  readonly collection: Readonly<Record<string, VerbRoute>>;
  /** GET, PUT, PATCH, DELETE (and connecting methods) of one object, or its subresource. */
  readonly item: Readonly<Record<string, VerbRoute>>;
  /** Whether the path may continue after the subresource. */
  readonly takesPath: boolean;
}

/** The routes of a group version. */
export interface VersionRoutes {
  /** Whether it has custom resources; a group version has either only these or none. */
  readonly isCustom: boolean;
  /** @param path `deployments`, `deployments/scale` */
  get(path: string): ResourceRoutes | undefined;
  all(): Iterable<ResourceRoutes>;
}

/** Key: `apps/v1`, or `v1`. */
export type RouteTable = Map<string, VersionRoutes>;
