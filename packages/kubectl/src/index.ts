export { runKubectl } from './run.ts';
export type { KubectlIo, SpawnOptions } from './io.ts';
