export { createKubeApiServer } from './create.ts';
export type { KubeApiServer, KubeApiServerSettings } from './create.ts';
