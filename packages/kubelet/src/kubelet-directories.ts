/** The directories in which a kubelet stores data on the machine. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { KubeletDirectories } from './pod-paths.ts';
import type { RealKubeletOptions } from './config/real-kubelet-options.ts';

/** Creates those that other programs use. */
export function directoriesOf({
  rootDirectory,
  settings,
  containerLogs,
}: RealKubeletOptions): KubeletDirectories {
  for (const name of ['pods', 'plugins', 'plugins_registry', 'pod-resources', 'device-plugins'])
    mkdirSync(path.join(rootDirectory, name), { recursive: true, mode: 0o750 });
  return {
    root: rootDirectory,
    podLogs: settings.podLogsDir,
    containerLogs: containerLogs ?? '/var/log/containers',
  };
}
