/** Changes the resources of a build. */
import type { ResourceMap } from '../resources/resource-map.ts';

export type Transformer = (map: ResourceMap) => void;
