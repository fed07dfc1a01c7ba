/** Selects the running clusters that a command applies to. */

import path from 'node:path';
import { string } from '@coxswain/cobra';
import type { RunningCluster } from '../local/running-clusters.ts';

export const dataDirFlag = string({
  usage: 'The data directory of the cluster. Defaults to all running clusters.',
});

export const isIn = ({ dataDirectory }: RunningCluster, directory: string): boolean =>
  directory === '' || path.resolve(directory) === dataDirectory;
